import { systemClock } from '../../platform/clock.ts'
import { formatTimeAgo } from '../output/time-ago.ts'
import { dataDirFlag } from '../arguments/command.ts'
import type { CliCommand } from '../arguments/command.ts'
import { connectToServer } from '../control-client.ts'
import type { ProcedureOutputs } from '../control-client.ts'
import { formatTable } from '../output/table.ts'
import { printResult, printJsonResult } from '../output/terminal.ts'

type ListedVerifier = ProcedureOutputs['verifiers']['list'][number]

const enroll: CliCommand = {
  name: 'verifiers enroll',
  about: 'Creates a one-time token with which one verifier can enrol.',
  positionals: [],
  flags: {
    label: { type: 'string', value: 'TEXT', about: 'a note on whom it is for' },
    ...dataDirFlag,
  },
  notes: 'The token is shown once; the server keeps only a hash of it.',
  async run(args) {
    const client = connectToServer(args)
    const server = await client.installation.address.query()
    const { token, expiresAt } = await client.verifiers.createToken.mutate({
      label: args.text('label') ?? '',
    })
    const command = `npm run verifier -- --server ${server} --token ${token}`
    if (args.isJson) {
      printJsonResult({ token, expiresAt, server, command })
      return
    }
    printResult(`Token: ${token}`)
    printResult(`It is shown only now, and can be used once, until ${new Date(expiresAt).toISOString()}.`)
    printResult('')
    printResult('On the machine of the verifier, with the address by which it reaches this server:')
    printResult(`  ${command}`)
  },
}

const titles = ['ID', 'NAME', 'REGION', 'VERSION', 'LAST SEEN', 'STATE']

/** Returns verifiers as a table; `now` in epoch ms. */
export function verifiersTable(verifiers: readonly ListedVerifier[], now: number): string {
  const rows = verifiers.map((verifier) => [
    verifier.id,
    verifier.name,
    verifier.region,
    verifier.version,
    formatTimeAgo(verifier.lastSeenAt, now),
    stateOf(verifier),
  ])
  return formatTable(titles, rows)
}

function stateOf({ isIsolated, isEjected, hasStaleView, lastSeenAt }: ListedVerifier): string {
  const states = [
    ...(isIsolated ? ['isolated'] : []),
    ...(isEjected ? ['ejected'] : []),
    ...(hasStaleView ? ['stale view'] : []),
  ]
  if (states.length > 0) return states.join(', ')
  return lastSeenAt === null ? 'enrolled' : 'active'
}

const list: CliCommand = {
  name: 'verifiers list',
  about: 'Lists the active verifiers.',
  positionals: [],
  flags: dataDirFlag,
  async run(args) {
    const verifiers = await connectToServer(args).verifiers.list.query()
    if (args.isJson) printJsonResult(verifiers)
    else if (verifiers.length === 0) printResult('No verifier is enrolled; see verifiers enroll --help.')
    else printResult(verifiersTable(verifiers, systemClock.now()).trimEnd())
  },
}

const revoke: CliCommand = {
  name: 'verifiers revoke',
  about: 'Revokes a verifier: its reports stop counting at once.',
  positionals: ['ID'],
  flags: dataDirFlag,
  async run(args) {
    const id = args.argument(0)
    await connectToServer(args).verifiers.revoke.mutate({ id })
    if (args.isJson) printJsonResult({ revoked: id })
    else printResult(`Revoked ${id}; its reports do not count any more.`)
  },
}

export const verifierCommands: readonly CliCommand[] = [enroll, list, revoke]
