import { CommandFailure, dataDirFlag } from './command.ts'
import type { Command } from './command.ts'
import { controlClient } from './control-client.ts'
import type { Answers } from './control-client.ts'
import { readSettings } from './settings.ts'
import { formatTable, printable } from './table.ts'
import { print, printJson } from './terminal.ts'

type ListedEndpoint = Answers['endpoints']['list'][number]
type TestedUpstream = Answers['endpoints']['test'][number]

const titles = ['NAME', 'CHAIN', 'UPSTREAM', 'HOST', 'DECISION', 'MANAGED BY']

/** A line for each upstream; what belongs to the endpoint stands in its first one. */
export function endpointsTable(endpoints: readonly ListedEndpoint[]): string {
  const rows = endpoints.flatMap(({ name, chain, managedBy, upstreams }) =>
    upstreams.map(({ id, host, decision, outBecause }, index) => [
      index === 0 ? name : '',
      index === 0 ? chain.key : '',
      id,
      host ?? '-',
      outBecause === null ? (decision ?? 'not monitored') : `not used: ${outBecause}`,
      index === 0 ? managedBy : '',
    ]),
  )
  return formatTable(titles, rows)
}

const list: Command = {
  name: 'endpoints list',
  about: 'Lists the endpoints for which query keys can be made, with their upstreams.',
  takes: [],
  flags: dataDirFlag,
  async run(given) {
    const endpoints = await controlClient(readSettings(given).dataDir).endpoints.list.query()
    if (given.isJson) printJson(endpoints)
    else if (endpoints.length === 0)
      print('There is no endpoint; add one under endpoints: in the file, or in the console.')
    else print(endpointsTable(endpoints).trimEnd())
  },
}

/** One line for each upstream. */
export const testsTable = (tests: readonly TestedUpstream[]): string =>
  formatTable(
    ['UPSTREAM', 'RESULT', 'MS'],
    tests.map((test) => [test.id, test.ok ? 'ok' : test.message, test.latencyMs?.toString() ?? '-']),
  )

const test: Command = {
  name: 'endpoints test',
  about: 'Sends one harmless call to each upstream of an endpoint, and says how it went.',
  takes: ['NAME'],
  flags: dataDirFlag,
  notes: 'The exit code is 1 when an upstream is not well.',
  async run(given) {
    const name = given.argument(0)
    const tests = await controlClient(readSettings(given).dataDir).endpoints.test.mutate({ name })
    if (given.isJson) printJson(tests)
    else print(testsTable(tests).trimEnd())
    const failed = tests.filter(({ ok }) => !ok).length
    if (failed > 0)
      throw new CommandFailure(`${failed} of ${tests.length} upstreams of ${printable(name)} failed`)
  },
}

export const endpointCommands: readonly Command[] = [list, test]
