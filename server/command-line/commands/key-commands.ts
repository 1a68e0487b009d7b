import type { CliCommand, CliFlag } from '../arguments/command.ts'
import type { ControlClient } from '../control-client.ts'
import { serverCommand } from '../server-command.ts'

// What the commands for API keys and for query keys share.

export const accountFlag: CliFlag = {
  type: 'string',
  value: 'ID|ADDRESS',
  isRequired: true,
  about: 'whose key: the id of an account or the address of its wallet',
}

export const restrictionFlags: Readonly<Record<string, CliFlag>> = {
  'allowed-ips': {
    type: 'string',
    value: 'LIST',
    about: 'addresses and networks from which it works, separated by commas (default: any)',
  },
  'allowed-domains': {
    type: 'string',
    value: 'LIST',
    about: 'domains from whose pages it works, such as *.example.com (default: any)',
  },
  expires: {
    type: 'string',
    value: 'INSTANT',
    about: 'when it ends, such as 2027-01-31T12:00:00Z (default: never)',
  },
}

/** Returns the restrictions in the form of the schemas, which check them. */
export const restrictionsOf = (args: { text(flag: string): string | null }) => ({
  allowedIps: entriesOf(args.text('allowed-ips')),
  allowedDomains: entriesOf(args.text('allowed-domains')),
  expiresAt: args.text('expires'),
})

/** Returns the entries of a list that is separated by commas. */
export const entriesOf = (text: string | null): string[] =>
  (text ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

interface OperatorKeys {
  readonly setEnabled: { mutate(input: NamedKey & { isEnabled: boolean }): Promise<Propagation> }
  readonly delete: { mutate(input: NamedKey): Promise<Propagation> }
}

interface NamedKey {
  account: string
  id: string
}

interface Propagation {
  readonly propagated: boolean
}

const flags = { account: accountFlag }
const positionals = ['ID']

/** Creates the commands of a group that enable, disable and delete a key. */
export const keyCommands = (group: string, keysOf: (client: ControlClient) => OperatorKeys) => ({
  toggle: (isEnabled: boolean, about: string): CliCommand =>
    serverCommand({
      name: `${group} ${isEnabled ? 'enable' : 'disable'}`,
      about,
      positionals,
      flags,
      ask: (client, args) =>
        keysOf(client).setEnabled.mutate({
          account: args.required('account'),
          id: args.argument(0),
          isEnabled,
        }),
      json: ({ propagated }, args) => ({
        [isEnabled ? 'enabled' : 'disabled']: args.argument(0),
        propagated,
      }),
      text: ({ propagated }, args) =>
        isEnabled
          ? `Enabled ${args.argument(0)}.`
          : `Disabled ${args.argument(0)}; ${refusedSince(propagated)}`,
    }),
  remove: (about: string): CliCommand =>
    serverCommand({
      name: `${group} delete`,
      about,
      positionals,
      flags,
      ask: (client, args) =>
        keysOf(client).delete.mutate({ account: args.required('account'), id: args.argument(0) }),
      json: ({ propagated }, args) => ({ deleted: args.argument(0), propagated }),
      text: ({ propagated }, args) => `Deleted ${args.argument(0)}; ${refusedSince(propagated)}`,
    }),
})

/** Returns a clause that says from when a disabled or deleted key is refused. */
const refusedSince = (propagated: boolean): string =>
  propagated
    ? 'it is refused from now on.'
    : 'it is refused here from now on, and by a process that has not answered as soon as it reaches the database.'
