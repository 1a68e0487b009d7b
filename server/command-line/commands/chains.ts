import { CustomChain } from '../../../shared/chains.ts'
import type { CliCommand } from '../arguments/command.ts'
import type { ProcedureOutputs } from '../control-client.ts'
import { formatTable } from '../output/table.ts'
import { serverCommand } from '../server-command.ts'
import { describedInFiles } from './described-in-files.ts'

type ListedChain = ProcedureOutputs['chains']['list'][number]

const titles = ['KEY', 'NAME', 'FAMILY', 'CHAIN ID', 'BLOCK', 'SERVICES', 'ENDPOINTS', 'MANAGED BY']

/** Returns chains as a table. */
export const chainsTable = (chains: readonly ListedChain[]): string =>
  formatTable(
    titles,
    chains.map(({ key, name, family, chainId, blockMs, services, endpoints, managedBy }) => [
      key,
      name,
      family,
      String(chainId ?? '-'),
      `${blockMs} ms`,
      String(services),
      String(endpoints),
      managedBy,
    ]),
  )

const list = serverCommand({
  name: 'chains list',
  about: 'Lists the chains that services and endpoints can be of, and how many are.',
  ask: (client): Promise<readonly ListedChain[]> => client.chains.list.query(),
  text: (chains) => chainsTable(chains).trimEnd(),
})

export const chainCommands: readonly CliCommand[] = [
  list,
  ...describedInFiles({
    group: 'chains',
    one: 'a chain',
    section: 'chains, with its key,',
    example: '{ key: my-rollup, name: My rollup, family: evm, chainId: 424242, blockMs: 2000 }',
    schema: CustomChain,
    nameOf: ({ key }) => key,
    add: (client, chain) => client.chains.create.mutate(chain),
    remove: (client, key) => client.chains.delete.mutate({ key }),
  }),
]
