import { systemClock } from '../platform/clock.ts'
import { ago } from './ago.ts'
import { dataDirFlag } from './command.ts'
import type { Command } from './command.ts'
import { controlClient } from './control-client.ts'
import type { Answers } from './control-client.ts'
import { readSettings } from './settings.ts'
import { formatTable } from './table.ts'
import { print, printJson } from './terminal.ts'

type ListedVerifier = Answers['verifiers']['list'][number]

const enroll: Command = {
  name: 'verifiers enroll',
  about: 'Makes a one-time token with which one verifier can enrol.',
  takes: [],
  flags: {
    label: { type: 'string', value: 'TEXT', about: 'a note on whom it is for' },
    ...dataDirFlag,
  },
  notes: 'The token is shown once; the server keeps only a hash of it.',
  async run(given) {
    const client = controlClient(readSettings(given).dataDir)
    const server = await client.installation.address.query()
    const { token, expiresAt } = await client.verifiers.createToken.mutate({
      label: given.text('label') ?? '',
    })
    const command = `npm run verifier -- --server ${server} --token ${token}`
    if (given.isJson) {
      printJson({ token, expiresAt, server, command })
      return
    }
    print(`Token: ${token}`)
    print(`It is shown only now, and can be used once, until ${new Date(expiresAt).toISOString()}.`)
    print('')
    print('On the machine that shall verify, with the address by which it reaches this server:')
    print(`  ${command}`)
  },
}

const titles = ['ID', 'NAME', 'REGION', 'VERSION', 'LAST SEEN', 'STATE']

/** As a table; `now` in epoch ms. */
export function verifiersTable(verifiers: readonly ListedVerifier[], now: number): string {
  const rows = verifiers.map((verifier) => [
    verifier.id,
    verifier.name,
    verifier.region,
    verifier.version,
    ago(verifier.lastSeenAt, now),
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
  return lastSeenAt === null ? 'enrolled' : 'in force'
}

const list: Command = {
  name: 'verifiers list',
  about: 'Lists the verifiers that are in force.',
  takes: [],
  flags: dataDirFlag,
  async run(given) {
    const verifiers = await controlClient(readSettings(given).dataDir).verifiers.list.query()
    if (given.isJson) printJson(verifiers)
    else if (verifiers.length === 0) print('No verifier is enrolled; see verifiers enroll --help.')
    else print(verifiersTable(verifiers, systemClock.now()).trimEnd())
  },
}

const revoke: Command = {
  name: 'verifiers revoke',
  about: 'Revokes a verifier: its reports stop counting at once.',
  takes: ['ID'],
  flags: dataDirFlag,
  async run(given) {
    const id = given.argument(0)
    await controlClient(readSettings(given).dataDir).verifiers.revoke.mutate({ id })
    if (given.isJson) printJson({ revoked: id })
    else print(`Revoked ${id}; its reports do not count any more.`)
  },
}

export const verifierCommands: readonly Command[] = [enroll, list, revoke]
