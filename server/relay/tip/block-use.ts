import type { Family } from '../../../shared/chains.ts'
import type { BlockReference } from '../methods/method-table.ts'
import type { BlockUse } from './prepare-call.ts'

/** What the tables say about a method, as far as blocks depend on it. */
interface KnownFacts {
  readonly block: BlockReference | null
  readonly cache: 'constant' | 'by-hash' | 'by-block' | null
}

/** Methods that run the transactions of a block again, for which its state is needed. */
const replays = /^(?:debug_trace|trace_|arbtrace_)/

/**
 * Returns how a method is about blocks; null for a method that is about none, and for families other than the EVM's, whose
 * nodes name blocks in other ways.
 */
export function blockUseOf(family: Family, method: string, { block, cache }: KnownFacts): BlockUse | null {
  if (family !== 'evm') return null
  if (method === 'eth_blockNumber') return { kind: 'head' }
  if (cache === 'by-hash') return { kind: 'hash' }
  if (block === null) return null
  if (block.kind === 'range') {
    const { position, member } = block.from
    return member === 'fromBlock' && block.to.member === 'toBlock' && method.endsWith('_getLogs')
      ? { kind: 'logs', parameter: position }
      : null
  }
  const { position, name, member } = block.at
  if (name !== null || member !== null) return null
  const isByHash = !block.forms.includes('number') && !block.forms.includes('tag')
  if (isByHash) return { kind: 'hash' }
  return { kind: 'block', parameter: position, isState: block.absent !== null || replays.test(method) }
}
