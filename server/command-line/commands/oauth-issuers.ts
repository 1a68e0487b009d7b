import { readFileSync } from 'node:fs'

import { IssuerClientForm } from '../../../shared/connections.ts'
import { systemClock } from '../../platform/clock.ts'
import { type CliCommand, CommandFailure, checked } from '../arguments/command.ts'
import type { ProcedureOutputs } from '../control-client.ts'
import { formatTable, printable } from '../output/table.ts'
import { formatTimeAgo } from '../output/time-ago.ts'
import { serverCommand } from '../server-command.ts'

type ListedIssuer = ProcedureOutputs['oauthIssuers']['list'][number]

const origins: Readonly<Record<ListedIssuer['origin'], string>> = {
  file: 'in the file',
  operator: 'set by an operator',
  document: 'our own document',
  registered: 'registered by itself',
}

const issuersTable = (issuers: readonly ListedIssuer[], now: number): string =>
  formatTable(
    ['ISSUER', 'CLIENT ID', 'HOW', 'SINCE'],
    issuers.map(({ issuer, clientId, origin, createdAt }) => [
      issuer,
      clientId,
      origins[origin],
      createdAt === null ? '' : formatTimeAgo(createdAt, now),
    ]),
  )

const list = serverCommand({
  name: 'oauth-issuers list',
  about: 'Lists the authorization servers of tool servers, and what this installation is called there.',
  ask: (client) => client.oauthIssuers.list.query(),
  text: (issuers) =>
    issuers.length === 0
      ? 'This installation is known to no authorization server.'
      : issuersTable(issuers, systemClock.now()).trimEnd(),
})

const set = serverCommand({
  name: 'oauth-issuers set',
  about: 'Sets the client id that an authorization server gave to this installation.',
  positionals: ['ISSUER'],
  flags: {
    'client-id': { type: 'string', value: 'ID', isRequired: true, about: 'what it calls this installation' },
    'client-secret-file': {
      type: 'string',
      value: 'FILE',
      about: 'file with its client secret, where it gave one',
    },
  },
  notes: 'Connections that are agreed to already keep the client id that they were agreed to with.',
  ask: (client, args) =>
    client.oauthIssuers.set.mutate(
      checked(IssuerClientForm, {
        issuer: args.argument(0),
        clientId: args.required('client-id'),
        clientSecret: secretIn(args.text('client-secret-file')),
      }),
    ),
  json: (_, args) => ({ set: args.argument(0) }),
  text: (_, args) => `${printable(args.argument(0))} is asked by this client id from now on.`,
})

const remove = serverCommand({
  name: 'oauth-issuers remove',
  about:
    'Removes the client id of an authorization server; the next consent there finds or registers another one.',
  positionals: ['ISSUER'],
  ask: (client, args) => client.oauthIssuers.remove.mutate({ issuer: args.argument(0) }),
  json: (_, args) => ({ removed: args.argument(0) }),
  text: (_, args) => `${printable(args.argument(0))} is removed.`,
})

/** From a file: arguments of a process can be read by others. */
function secretIn(path: string | null): string | null {
  if (path === null) return null
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    throw new CommandFailure('The file of --client-secret-file cannot be read')
  }
}

export const oauthIssuerCommands: readonly CliCommand[] = [list, set, remove]
