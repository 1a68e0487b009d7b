import { describe, expect, test } from 'bun:test'

import { families, type Family } from '../../../shared/chains.ts'
import { MethodPattern } from '../../../shared/method-pattern.ts'
import {
  type BlockReference,
  createMethodTable,
  isRestricted,
  keyUse,
  type KnownMethod,
  read,
} from './method-table.ts'
import { evmChainMethods } from './families/evm-chains.ts'
import { methodTableOf } from './methods-by-family.ts'

const rows: readonly [Family, string, KnownMethod][] = families.flatMap((family) => {
  const { methods, prefixes } = methodTableOf(family)
  return [...methods, ...prefixes].map(([name, facts]): [Family, string, KnownMethod] => [
    family,
    name,
    facts,
  ])
})

/** Words in the names of methods that change a node or use its keys. */
const delicate =
  /(?:^|_|\.)(?:set|add|remove|start|stop|unlock|lock|import|dump|sign|reset|revert|mine|ban|unban|disconnect)(?=[A-Z]|$|_)/

/** Names that only look so. */
const harmless = new Set([
  'starknet_addInvokeTransaction', // submits what the caller has signed
  'starknet_addDeclareTransaction',
  'starknet_addDeployAccountTransaction',
  'transaction_v1_stop', // ends what the caller began
])

describe('every row of every table', () => {
  test.each(rows)('%s: %s', (family, name, facts) => {
    expect(MethodPattern.safeParse(name).success).toBe(true)
    expect(facts.credits).toBeGreaterThan(0)
    if (name.endsWith('*')) expect(isRestricted(facts.kind)).toBe(true)
    const closes = facts.kind === 'subscribe' // a stream of the caller's own
    if (delicate.test(name) && !harmless.has(name) && !closes) expect(isRestricted(facts.kind)).toBe(true)
    if (facts.kind !== 'read') expect(facts.cache === null || facts.kind === 'filter').toBe(true)
    if (facts.cache === 'by-block') expect(facts.block).not.toBeNull()
    for (const form of namedForms(name)) expect(formsOf(facts.block)).toContain(form)
    expect(methodTableOf(family).find(name.replace('*', 'AnythingAtAll'))?.kind).toBe(facts.kind)
  })

  test('there are as many as there are methods in use', () => {
    const counts = Object.fromEntries(families.map((family) => [family, methodTableOf(family).methods.size]))
    expect(counts['evm']).toBeGreaterThan(300)
    expect(counts['bitcoin']).toBeGreaterThan(150)
    expect(counts['substrate']).toBeGreaterThan(counts['evm'] ?? 0)
    expect([counts['http'], counts['mcp'], counts['beacon']]).toEqual([0, 0, 0])
  })
})

/** The ways of naming a block that the name of an Ethereum method promises. */
function namedForms(name: string): string[] {
  if (!/^(?:eth|klay|kaia|erigon|hmy|hmyv2)_get/.test(name) || /SenderTxHash|InBlock|Range$/.test(name))
    return []
  if (/(?:Block|Header|Count|Info|Uncle).*ByNumber$|ByBlockNumberAndIndex$/.test(name)) {
    return name.endsWith('BalanceByBlockNumber') || name.endsWith('AllValidatorInformationByBlockNumber')
      ? []
      : ['number', 'tag']
  }
  return /(?:Block|Header|Count|Info).*ByHash$|ByBlockHashAndIndex$/.test(name) ? ['hash'] : []
}

const formsOf = (block: BlockReference | null): readonly string[] => block?.forms ?? []

/** Where parameters that were written down by hand name a block, as the tables find it. */
describe('the block of a call', () => {
  test.each<[Family, string, unknown, unknown]>([
    ['evm', 'eth_getBalance', ['0xaa', 'B'], 'B'],
    ['evm', 'eth_getTransactionCount', ['0xaa', 'B'], 'B'],
    ['evm', 'eth_getCode', ['0xaa', 'B'], 'B'],
    ['evm', 'eth_call', [{ to: '0xaa' }, 'B', {}], 'B'],
    ['evm', 'eth_estimateGas', [{ to: '0xaa' }, 'B'], 'B'],
    ['evm', 'eth_createAccessList', [{ to: '0xaa' }, 'B'], 'B'],
    ['evm', 'eth_getStorageAt', ['0xaa', '0x0', 'B'], 'B'],
    ['evm', 'eth_getProof', ['0xaa', ['0x0'], 'B'], 'B'],
    ['evm', 'eth_getBlockByNumber', ['B', false], 'B'],
    ['evm', 'eth_getBlockByHash', ['B', false], 'B'],
    ['evm', 'eth_getBlockReceipts', ['B'], 'B'],
    ['evm', 'eth_getUncleByBlockNumberAndIndex', ['B', '0x0'], 'B'],
    ['evm', 'eth_feeHistory', ['0x4', 'B', []], 'B'],
    ['evm', 'eth_simulateV1', [{ blockStateCalls: [] }, 'B'], 'B'],
    ['evm', 'eth_callMany', [[], { blockNumber: 'B', transactionIndex: 0 }], 'B'],
    ['evm', 'eth_getLogs', [{ fromBlock: 'F', toBlock: 'T', blockHash: 'H' }], ['F', 'T', 'H']],
    ['evm', 'trace_filter', [{ fromBlock: 'F', toBlock: 'T' }], ['F', 'T']],
    ['evm', 'trace_call', [{}, ['trace'], 'B'], 'B'],
    ['evm', 'trace_callMany', [[], 'B'], 'B'],
    ['evm', 'trace_block', ['B'], 'B'],
    ['evm', 'trace_replayBlockTransactions', ['B', ['trace']], 'B'],
    ['evm', 'debug_traceCall', [{}, 'B', {}], 'B'],
    ['evm', 'debug_traceBlockByNumber', ['B', {}], 'B'],
    ['evm', 'debug_traceBlockByHash', ['B', {}], 'B'],
    ['evm', 'arbtrace_call', [{}, ['trace'], 'B'], 'B'],
    ['evm', 'erigon_getHeaderByNumber', ['B'], 'B'],
    ['solana', 'getBlock', ['B', {}], 'B'],
    ['solana', 'getBlocks', ['F', 'T'], ['F', 'T']],
    ['solana', 'getBalance', ['aa', { commitment: 'B' }], 'B'],
    ['solana', 'getSlot', [{ commitment: 'B' }], 'B'],
    ['solana', 'getTokenAccountsByOwner', ['aa', {}, { commitment: 'B' }], 'B'],
    ['bitcoin', 'getblock', ['B', 1], 'B'],
    ['bitcoin', 'getblock', { blockhash: 'B' }, 'B'],
    ['bitcoin', 'getblockhash', ['B'], 'B'],
    ['filecoin', 'Filecoin.StateGetActor', ['f01', 'B'], 'B'],
    ['filecoin', 'Filecoin.ChainGetTipSetByHeight', ['B', null], 'B'],
    ['filecoin', 'Filecoin.EthGetBalance', ['0xaa', 'B'], 'B'],
    ['filecoin', 'eth_getBalance', ['0xaa', 'B'], 'B'],
    ['cosmos', 'block', { height: 'B' }, 'B'],
    ['cosmos', 'block', ['B'], 'B'],
    ['cosmos', 'abci_query', { path: '/a', height: 'B' }, 'B'],
    ['cosmos', 'blockchain', { minHeight: 'F', maxHeight: 'T' }, ['F', 'T']],
    ['near', 'query', { request_type: 'view_account', block_id: 'B' }, 'B'],
    ['starknet', 'starknet_call', [{}, 'B'], 'B'],
    ['starknet', 'starknet_call', { request: {}, block_id: 'B' }, 'B'],
    ['starknet', 'starknet_getEvents', { filter: { from_block: 'F', to_block: 'T' } }, ['F', 'T']],
    ['substrate', 'chain_getBlock', ['B'], 'B'],
    ['substrate', 'state_getStorage', ['0xaa', 'B'], 'B'],
    ['substrate', 'state_call', ['Core_version', '0x', 'B'], 'B'],
  ])('of %s, %s %j', (family, method, params, expected) => {
    expect(blockIn(params, methodTableOf(family).find(method)?.block ?? null)).toEqual(expected)
  })
})

function blockIn(params: unknown, block: BlockReference | null): unknown {
  const at = ({ position, name, member }: Extract<BlockReference, { kind: 'block' }>['at']): unknown => {
    const parameter = Array.isArray(params)
      ? (params as unknown[])[position]
      : name !== null && (params as Record<string, unknown>)[name]
    return member === null ? parameter : (parameter as Record<string, unknown>)[member]
  }
  if (block === null) return null
  if (block.kind === 'block') return at(block.at)
  return [block.from, block.to, ...(block.hash === null ? [] : [block.hash])].map(at)
}

describe('a table', () => {
  test('has one row for a method', () => {
    expect(() =>
      createMethodTable([
        [read(), 'a b'],
        [keyUse, 'b'],
      ]),
    ).toThrow('b has two rows')
    const own = methodTableOf('evm').methods
    for (const [name, facts] of evmChainMethods.methods) expect(own.get(name)).toBe(facts)
  })

  test('opens nothing by a prefix', () => {
    expect(() => createMethodTable([[read(), 'eth_get*']])).toThrow('the prefix eth_get*')
  })

  test('takes a row before a prefix', () => {
    const table = createMethodTable([
      [read(), 'personal_look'],
      [keyUse, 'personal_*'],
    ])
    expect(['personal_look', 'personal_looks', 'person'].map((name) => table.find(name)?.kind)).toEqual([
      'read',
      'key-use',
      undefined,
    ])
  })
})
