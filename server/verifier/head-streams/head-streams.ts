/**
 * New heads that nodes push over WebSocket, for services that have such an address. They decide nothing: a head that was
 * pushed is no vote, because the server could not compare it with those of other services at the same moment, nor could
 * anybody repeat it. Where a node falls behind the others of its chain, or stops, the chain's next round is brought
 * forward, so that the lag is measured within a block and not within an interval; a node whose connection is lost and
 * cannot be opened again is probed at once.
 *
 * 1. `subscription.ts` knows the messages of each family, and `head-stream.ts` keeps one connection open, with pauses that
 *    grow.
 * 2. `lag.ts` says which head should have been reached.
 *
 * Failure: without a WebSocket a service is probed as every other. Only the change from well to behind has a round
 * brought forward, and the time that this wins is given back (`probing/schedule.ts`).
 */
import type { Chain } from '../../../shared/chains.ts'
import type { Assignments, Target } from '../../../shared/verifier-protocol.ts'
import type { Clock } from '../../platform/clock.ts'
import { expectedHeight, longestSilenceMs, tolerableLag } from './lag.ts'
import { type DialSocket, followHeads } from './head-stream.ts'
import { headSubscriptions } from './subscription.ts'

export interface HeadStreams {
  /** Opens and closes connections, so that those of the assigned services are open. */
  assign(assignments: Assignments): void
  /** Closes all connections, and opens none any more. */
  close(): void
}

export interface HeadStreamsOptions {
  /** How the WebSocket of a service is opened. */
  readonly dialFor: (target: Target) => DialSocket
  readonly clock: Clock
  /** Returns a number in [0, 1). */
  readonly random: () => number
  /** A node of the chain has fallen behind or stopped. */
  readonly onBehind: (chainKey: string) => void
  /** A service cannot be reached any more. */
  readonly onUnreachable: (serviceId: string) => void
}

/** Further services are only probed. */
const mostStreams = 1_000
const silenceCheckMs = 1_000

interface Stream {
  readonly target: Target
  readonly chain: Chain
  readonly closing: AbortController
  height: number | null
  headAt: number
  isBehind: boolean
}

export function createHeadStreams(options: HeadStreamsOptions): HeadStreams {
  const { clock, onBehind } = options
  /** By what identifies a connection, so that a service whose thresholds change keeps it. */
  const streams = new Map<string, Stream>()
  let timer: Timer | undefined

  function open(target: Target, chain: Chain): Stream {
    const closing = new AbortController()
    const stream: Stream = { target, chain, closing, height: null, headAt: 0, isBehind: false }
    const subscription = headSubscriptions[target.family]
    if (subscription === undefined) return stream
    void followHeads(
      {
        ...options,
        dial: options.dialFor(target),
        subscription,
        monotonic: clock.monotonic,
        onHead: (height) => take(stream, height),
        onLost: () => void (stream.height = null),
        onUnreachable: () => options.onUnreachable(target.serviceId),
      },
      closing.signal,
    )
    return stream
  }

  function take(stream: Stream, height: number): void {
    Object.assign(stream, { height, headAt: clock.monotonic() })
    compareChain(stream.chain.key)
  }

  function compareChain(chainKey: string): void {
    const pushing = [...streams.values()].filter(
      ({ chain, height }) => chain.key === chainKey && height !== null,
    )
    const expected = expectedHeight(
      pushing.map(({ target: { provider }, height }) => ({ provider, height: height ?? 0 })),
    )
    for (const stream of pushing) mark(stream, (expected ?? 0) - (stream.height ?? 0))
  }

  function mark(stream: Stream, lag: number): void {
    const { target, chain, height, headAt } = stream
    const silence = longestSilenceMs(target.policy.enterSec, chain) ?? Infinity
    const isSilent = height !== null && clock.monotonic() - headAt > silence
    const wasBehind = stream.isBehind
    stream.isBehind = isSilent || lag > tolerableLag(target.policy.enterBlocks, chain.blockMs)
    if (stream.isBehind && !wasBehind) onBehind(chain.key)
  }

  function close(key: string, stream: Stream): void {
    stream.closing.abort()
    streams.delete(key)
  }

  return {
    assign({ targets, chains }) {
      const byKey = new Map(chains.map((chain) => [chain.key, chain]))
      const wanted = new Map(
        targets
          .filter(hasStream)
          .slice(0, mostStreams)
          .map((target) => [connectionOf(target), target]),
      )
      for (const [key, stream] of streams) if (!wanted.has(key)) close(key, stream)
      for (const [key, target] of wanted) {
        const chain = byKey.get(target.chain ?? '')
        const known = streams.get(key)
        if (known && chain) Object.assign(known, { target, chain })
        else if (chain) streams.set(key, open(target, chain))
      }
      clearInterval(timer)
      if (streams.size === 0) return
      timer = setInterval(() => {
        for (const key of new Set([...streams.values()].map(({ chain }) => chain.key))) compareChain(key)
      }, silenceCheckMs)
    },
    close() {
      clearInterval(timer)
      for (const [key, stream] of streams) close(key, stream)
    },
  }
}

const hasStream = ({ ws = '', endpoint, family }: Target): boolean =>
  headSubscriptions[family] !== undefined && URL.canParse(ws) && URL.canParse(endpoint)

/** Everything on which a connection depends. */
const connectionOf = ({ serviceId, chain, family, ws, endpoint, headers, ca }: Target): string =>
  JSON.stringify([serviceId, chain, family, ws, endpoint, headers, ca])
