import { DeadlinePassed, withinDeadline } from '../../platform/deadline.ts'
import { errorCodes, rpcErrorText } from '../errors.ts'
import type { RpcCall } from '../rpc-call.ts'
import { quantityText } from '../tip/block-parameter.ts'
import type { EndpointTip } from '../tip/endpoint-tip.ts'
import { blockByHeight, dependsOnTip, prepareCall } from '../tip/prepare-call.ts'
import type { UpstreamFailure } from './attempt-class.ts'
import type { EndpointRoute } from './endpoint-route.ts'
import { OwnCall } from './own-call.ts'

/** Sends calls and sets their answers, but not to the upstreams in `without` (bits). Resolves to why none was answered. */
export type SendCalls = (calls: readonly RpcCall[], without?: number) => Promise<UpstreamFailure | null>

/** What was told to another process may be missing here for so long (ms) where it changes no answer. */
const exchangeEveryMs = 20

/**
 * Gets calls answered by several nodes as if they were one chain: the newest block never goes back, a block that was named
 * is found, and logs are those of all blocks of their range.
 */
export async function forwardBlocks(
  calls: readonly RpcCall[],
  route: EndpointRoute,
  tip: EndpointTip,
  send: SendCalls,
): Promise<UpstreamFailure | null> {
  await tip.exchanged(() => (calls.some(isOfNewest) ? 0 : exchangeEveryMs))
  for (const call of calls) prepare(call, tip)
  // Those that are the same as earlier ones now that a number stands in the place of their tag.
  const uncached = calls.filter((call) => !route.answerFromCache(call))
  if (uncached.length === 0) return null
  if (uncached.some((call) => isBeyond(call, tip))) await tip.exchanged(anew)
  return await forwardUncached(uncached, route, tip, send)
}

async function forwardUncached(
  calls: readonly RpcCall[],
  route: EndpointRoute,
  tip: EndpointTip,
  send: SendCalls,
): Promise<UpstreamFailure | null> {
  const missing = calls.filter((call) => isStrict(call) && !isReached(call, tip))
  if (missing.length > 0) {
    const since = Number.NEGATIVE_INFINITY
    const awaited = missing.map((call) => ({ height: neededHeight(call), since, ms: longestWaitMs }))
    await Promise.all(awaited.map((block) => untilReached(block, route, tip, send)))
  }
  const sent = missing.length === 0 ? calls : calls.filter((call) => !isStrict(call) || isReached(call, tip))
  const lowest = tip.lowestHead()
  const first = sent.length === 0 ? null : await send(sent)
  const late = sent.filter((call) => isLate(call, tip, lowest))
  const failure = late.length === 0 ? first : await sendLate(late, route, tip, send)
  for (const call of missing) if (call.answer === '') call.reject(beyondHead)
  const newest = sent.filter(({ outcome, served }) => outcome === 'ok' && served?.prepared.tag)
  if (newest.length > 0) {
    await tip.exchanged(anew)
    for (const call of newest) await serveNewest(call, route, tip, send)
  }
  return failure
}

function prepare(call: RpcCall, tip: EndpointTip): void {
  const use = call.facts.blockUse
  if (use !== null)
    call.served = {
      use,
      prepared: prepareCall(call, use, tip),
      newest: null,
      view: tip.view(),
      isMissing: false,
    }
}

const anew = (): number => 0

const isOfNewest = (call: RpcCall): boolean =>
  call.facts.blockUse !== null && dependsOnTip(call, call.facts.blockUse)

const isStrict = ({ served }: RpcCall): boolean => served?.prepared.needs?.isStrict === true

const neededHeight = ({ served }: RpcCall): number => served?.prepared.needs?.height ?? -1

const isBeyond = (call: RpcCall, tip: EndpointTip): boolean =>
  neededHeight(call) > (tip.height('latest') ?? -1)

const isReached = (call: RpcCall, tip: EndpointTip): boolean => tip.isReached(neededHeight(call))

/** Of older blocks nodes lack what they have thrown away, and not what they do not have yet. */
const youngBlocks = 128

/**
 * Whether nobody who works had the block of a call, of which callers were told by a node that does not work any more.
 * Somebody may have it by now: `lowest` is the lowest head before the call was sent.
 */
function isLate(call: RpcCall, tip: EndpointTip, lowest: number | null): boolean {
  const height = neededHeight(call)
  if (isBeyond(call, tip) || height + youngBlocks < (tip.height('latest') ?? 0)) return false
  const isWithout = call.served?.isMissing === true || (isStrict(call) && call.outcome === 'unanswered')
  return isWithout && Math.min(lowest ?? height, tip.lowestHead() ?? height) < height
}

/** Sends calls again once somebody has their blocks. Whoever asked for the newest block gets, in the end, what there is. */
async function sendLate(
  calls: readonly RpcCall[],
  route: EndpointRoute,
  tip: EndpointTip,
  send: SendCalls,
): Promise<UpstreamFailure | null> {
  const height = Math.max(...calls.map(neededHeight))
  const since = route.now()
  await untilReached({ height, since, ms: longestLateMs }, route, tip, send)
  for (const call of calls) call.takeBack()
  const failure = await send(calls)
  const older = calls.filter(({ params, served }) => served?.isMissing && served.prepared.params !== params)
  if (older.length === 0) return failure
  for (const call of older) {
    if (call.served !== null)
      call.served.prepared = { ...call.served.prepared, params: call.params, needs: null }
    call.takeBack()
  }
  return await send(older)
}

/** How long (ms) a call for the logs of blocks that nobody has yet waits for them. */
const longestWaitMs = 200
/** How long (ms) a call waits for a block that callers were told of. */
const longestLateMs = 5_000
const askAgainMs = 60
/** Blocks that are further away than this do not come while a call waits. */
const nearBlocks = 3

const beyondHead = rpcErrorText({
  code: errorCodes.invalidParams,
  message: 'block range extends beyond current head block',
  reason: 'beyond_head',
})

interface AwaitedBlock {
  readonly height: number
  /** A node must have told of it since then. */
  readonly since: number
  /** The longest wait. */
  readonly ms: number
}

/** Resolves when a node has a block, and when it takes too long. */
async function untilReached(
  { height, since, ms }: AwaitedBlock,
  route: EndpointRoute,
  tip: EndpointTip,
  send: SendCalls,
): Promise<void> {
  const until = route.now() + ms
  for (let left = ms; left > 0 && !tip.isReached(height, since); left = until - route.now()) {
    await atMost(left, tip.asking ?? askHeads(route, tip, send))
    const isNear = height <= (tip.height('latest') ?? -1) + nearBlocks
    if (!isNear) return
    const pauseMs = Math.max(askAgainMs, (ms - left) / 4)
    if (!tip.isReached(height, since)) await Bun.sleep(Math.min(pauseMs, Math.max(0, until - route.now())))
  }
}

/** Asks all upstreams for their newest block. Calls at the same time share the question. */
function askHeads(route: EndpointRoute, tip: EndpointTip, send: SendCalls): Promise<unknown> {
  const facts = route.factsOf('eth_blockNumber')
  const all = route.clients.map(({ index }) => {
    const call = new OwnCall('eth_blockNumber', '[]', facts)
    prepare(call, tip)
    return send([call], ~(1 << index))
  })
  tip.asking = Promise.all(all).finally(() => {
    tip.asking = null
  })
  return tip.asking
}

async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  try {
    await withinDeadline(work, ms)
  } catch (error) {
    if (!(error instanceof DeadlinePassed)) throw error
  }
}

/** Answers with the newest block that callers were told of where the node has answered with an older one. */
async function serveNewest(
  call: RpcCall,
  route: EndpointRoute,
  tip: EndpointTip,
  send: SendCalls,
): Promise<void> {
  const { served } = call
  const tag = served?.prepared.tag ?? null
  const height = tag === null ? null : tip.height(tag)
  if (served === null || height === null || served.newest === null) return
  if (served.use.kind === 'head') return call.setResult(quantityText(height))
  if (served.newest >= height || served.use.kind !== 'block') return
  const older = call.answer
  served.prepared = blockByHeight(call.params, served.use.parameter, height)
  const lowest = tip.lowestHead()
  await send([call])
  if (isLate(call, tip, lowest)) await sendLate([call], route, tip, send)
  // Nobody who can be reached has it any more.
  if (call.outcome !== 'ok' || call.answer.endsWith('"result":null}')) call.restore(older)
}
