import type { CliFlag } from './command.ts'

// Flags and texts that the commands for API keys and for query keys share.

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

/** Returns a clause that says from when a disabled or deleted key is refused. */
export const refusedSince = (propagated: boolean): string =>
  propagated
    ? 'it is refused from now on.'
    : 'it is refused here from now on, and by a process that has not answered as soon as it reaches the database.'
