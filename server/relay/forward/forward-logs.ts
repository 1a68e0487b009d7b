import { collectLogs, type LogAnswer } from '../logs/collect-logs.ts'
import { readLogLimit } from '../logs/log-limits.ts'
import type { RpcCall } from '../rpc-call.ts'
import {
  type BlockRange,
  type BlockUse,
  type KnownTips,
  prepareCall,
  withRange,
} from '../tip/prepare-call.ts'
import { quantityOf } from './shared-results.ts'
import type { EndpointRoute } from './endpoint-route.ts'
import type { SendCalls } from './forward-blocks.ts'
import { OwnCall } from './own-call.ts'

/**
 * Answers a call for logs in parts where its range is larger than its nodes answer at a time: they have said so to this
 * call, or to an earlier one. What the call has for an answer stays where the parts cannot be had. It is one call, and is
 * charged as one.
 */
export async function divideLogs(call: RpcCall, route: EndpointRoute, send: SendCalls): Promise<void> {
  const use = call.facts.blockUse
  if (use?.kind !== 'logs' || call.outcome === 'ok') return
  const limit = call.outcome === 'error' ? readLogLimit(call.answer) : null
  if (limit?.isBound === true && limit.blocks !== null) route.logRange.learned(limit.blocks, route.now())
  const known = route.logRange.blocks(route.now())
  if (limit === null && (known === null || call.outcome === 'error')) return
  const named = prepareCall(call, use, route.tip ?? noTips).range
  const range = named ?? (limit === null ? null : await askedRange(call, route, send))
  const size = range === null ? 0 : range.to - range.from + 1
  const most = Math.min(known ?? size, limit?.blocks ?? size)
  if (range === null || size < 2 || (limit === null && most >= size)) return
  const logs = await collectLogs({
    range,
    blocks: most < size ? most : Math.ceil(size / 2),
    ask: (part) => askPart(call, use, part, route, send),
    learned: (blocks) => route.logRange.learned(blocks, route.now()),
    maxChars: call.facts.terms.answerBytes,
  })
  if (logs === null) return
  call.setResult(logs)
  route.results.store(call, logs)
}

const noTips: KnownTips = { height: () => null, freshHeight: () => null }

/** Returns the range of a call that names the newest block by its tag; null where its nodes alone can tell. */
async function askedRange(call: RpcCall, route: EndpointRoute, send: SendCalls): Promise<BlockRange | null> {
  const use = call.facts.blockUse
  const head = new OwnCall('eth_blockNumber', '[]', route.factsOf('eth_blockNumber'))
  await send([head])
  const latest = head.result === null ? null : quantityOf(head.result)
  const height = (tag: string): number | null => (tag === 'latest' ? latest : null)
  return use === null ? null : prepareCall(call, use, { height, freshHeight: height }).range
}

async function askPart(
  { method, params, facts }: RpcCall,
  use: Extract<BlockUse, { kind: 'logs' }>,
  part: BlockRange,
  { tip }: EndpointRoute,
  send: SendCalls,
): Promise<LogAnswer> {
  const call = new OwnCall(method, withRange(params, use.parameter, part), facts)
  if (tip !== null)
    call.served = { use, prepared: prepareCall(call, use, tip), newest: null, view: null, isMissing: false }
  await send([call])
  if (call.result !== null) return { kind: 'logs', text: call.result }
  const limit = call.error === null ? null : readLogLimit(call.error)
  return limit === null ? { kind: 'failed' } : { kind: 'too-many', ...limit }
}
