import { systemClock } from '../../platform/clock.ts'
import { formatTimeAgo } from '../output/time-ago.ts'
import type { CliCommand } from '../arguments/command.ts'
import type { ProcedureOutputs } from '../control-client.ts'
import { formatTable } from '../output/table.ts'
import { serverCommand } from '../server-command.ts'
import { verifierState } from '../../../shared/verifier-state.ts'
import { programs } from '../../../shared/programs.ts'

type ListedVerifier = ProcedureOutputs['verifiers']['list'][number]

const enroll = serverCommand({
  name: 'verifiers enroll',
  about: 'Creates a one-time token with which one verifier can enrol.',
  flags: {
    label: { type: 'string', value: 'TEXT', about: 'a note on whom it is for' },
  },
  notes: 'The token is shown once; the server keeps only a hash of it.',
  async ask(client, args) {
    const server = await client.installation.address.query()
    const { token, expiresAt } = await client.verifiers.createToken.mutate({
      label: args.text('label') ?? '',
    })
    return { token, expiresAt, server, command: `${programs.verifier} --server ${server} --token ${token}` }
  },
  text: ({ token, expiresAt, command }) => `Token: ${token}
It is shown only now, and can be used once, until ${new Date(expiresAt).toISOString()}.

On the machine of the verifier, with the address by which it reaches this server:
  ${command}`,
})

const titles = ['ID', 'NAME', 'REGION', 'VERSION', 'LAST SEEN', 'STATE']

/** Returns verifiers as a table; `now` in epoch ms. */
export function verifiersTable(verifiers: readonly ListedVerifier[], now: number): string {
  const rows = verifiers.map((verifier) => [
    verifier.id,
    verifier.name,
    verifier.region,
    verifier.version,
    formatTimeAgo(verifier.lastSeenAt, now),
    verifierState(verifier, now),
  ])
  return formatTable(titles, rows)
}

const list = serverCommand({
  name: 'verifiers list',
  about: 'Lists the verifiers that are not revoked.',
  ask: (client) => client.verifiers.list.query(),
  text: (verifiers) =>
    verifiers.length === 0
      ? 'No verifier is enrolled; see verifiers enroll --help.'
      : verifiersTable(verifiers, systemClock.now()).trimEnd(),
})

const revoke = serverCommand({
  name: 'verifiers revoke',
  about: 'Revokes a verifier: its reports stop counting at once.',
  positionals: ['ID'],
  ask: (client, args) => client.verifiers.revoke.mutate({ id: args.argument(0) }),
  json: ({ propagated }, args) => ({ revoked: args.argument(0), propagated }),
  text: ({ propagated }, args) =>
    `Revoked ${args.argument(0)}; its reports do not count any more.` +
    (propagated ? '' : ' One process of the installation has not confirmed it yet.'),
})

export const verifierCommands: readonly CliCommand[] = [enroll, list, revoke]
