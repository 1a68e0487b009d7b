import { EndpointSpec } from '../../../shared/endpoints.ts'
import { type CliCommand, CommandFailure, dataDirFlag } from '../arguments/command.ts'
import { type ProcedureOutputs, connectToServer } from '../control-client.ts'
import { formatTable, printable } from '../output/table.ts'
import { printResult, printJsonResult } from '../output/terminal.ts'
import { serverCommand } from '../server-command.ts'
import { describedInFiles } from './described-in-files.ts'
import { endpointMethods } from './endpoint-methods.ts'
import { endpointSettings } from './endpoint-settings.ts'

type ListedEndpoint = ProcedureOutputs['endpoints']['list'][number]
type TestedUpstream = ProcedureOutputs['endpoints']['test'][number]

const titles = ['NAME', 'CHAIN', 'UPSTREAM', 'HOST', 'DECISION', 'MANAGED BY']

/** Returns endpoints as a table with a line for each upstream; the first line of an endpoint has its name and chain. */
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

const list = serverCommand({
  name: 'endpoints list',
  about: 'Lists the endpoints for which query keys can be made, with their upstreams.',
  ask: (client) => client.endpoints.list.query(),
  text: (endpoints) =>
    endpoints.length === 0
      ? 'There is no endpoint; see endpoints add --help, or add one in the file or the console.'
      : endpointsTable(endpoints).trimEnd(),
})

/** Returns test results as a table with a line for each upstream. */
export const testsTable = (tests: readonly TestedUpstream[]): string =>
  formatTable(
    ['UPSTREAM', 'RESULT', 'MS'],
    tests.map((test) => [test.id, test.ok ? 'ok' : test.message, test.latencyMs?.toString() ?? '-']),
  )

const test: CliCommand = {
  name: 'endpoints test',
  about: 'Sends one harmless call to each upstream of an endpoint, and says how it went.',
  positionals: ['NAME'],
  flags: dataDirFlag,
  notes: 'The exit code is 1 when the call to an upstream fails.',
  async run(args) {
    const name = args.argument(0)
    const tests = await connectToServer(args).endpoints.test.mutate({ name })
    if (args.isJson) printJsonResult(tests)
    else printResult(testsTable(tests).trimEnd())
    const failed = tests.filter(({ ok }) => !ok).length
    if (failed > 0)
      throw new CommandFailure(`${failed} of ${tests.length} upstreams of ${printable(name)} failed`)
  },
}

export const endpointCommands: readonly CliCommand[] = [
  list,
  test,
  endpointMethods,
  endpointSettings,
  ...describedInFiles({
    group: 'endpoints',
    one: 'an endpoint',
    section: 'endpoints',
    example: '{ name: mainnet, chain: ethereum, upstreams: [{ url: https://node-a.example.com }] }',
    schema: EndpointSpec,
    nameOf: ({ name }) => name,
    add: (client, spec) => client.endpoints.create.mutate(spec),
    remove: (client, name) => client.endpoints.remove.mutate({ name }),
  }),
]
