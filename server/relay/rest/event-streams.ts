import type { KeyCaller } from '../../keys/check.ts'
import type { Clock } from '../../platform/clock.ts'
import { Fault } from '../../platform/fault.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { Upstream } from '../../endpoints/endpoints.ts'
import type { DecisionOf, RelayEndpoints, RelayKey, RelayKeys } from '../ports.ts'
import type { RelaySettings } from '../settings.ts'
import { type BegunStream, EventStream, type EventStreamServices, type StreamTotals } from './event-stream.ts'
import { offeredPattern } from './offered-pattern.ts'
import { noRoomForStreams, type RestError, tooManyStreams } from './rest-errors.ts'

export interface EventStreamsOptions extends Omit<EventStreamServices, 'now' | 'settings'> {
  readonly keys: Pick<RelayKeys, 'authorize'>
  readonly endpoints: RelayEndpoints
  readonly decisionOf: DecisionOf
  readonly clock: Clock
  readonly settings: RelaySettings
  readonly metrics: Metrics
}

/** The call that opened a stream. */
export interface StreamOpening extends Pick<BegunStream, 'source' | 'pattern' | 'cleaned'> {
  /** The key value. */
  readonly value: string
  readonly key: RelayKey
  readonly endpoint: string
  readonly caller: KeyCaller
  readonly method: string
  readonly path: string
  readonly from: Upstream
  /** Is called once, when it has ended. */
  readonly onOver: (totals: StreamTotals) => void
}

interface OpenStream {
  readonly opening: StreamOpening
  readonly stream: EventStream
}

export type EventStreams = ReturnType<typeof createEventStreams>

/** Holds the event streams of all callers: bounds how many there are, and ends those that may not go on. */
export function createEventStreams(options: EventStreamsOptions) {
  const { keys, endpoints, decisionOf, settings, clock, limits, meter } = options
  const services = { limits, meter, settings, now: clock.monotonic }
  const open = new Set<OpenStream>()
  let isDraining = false

  const isDown = ({ serviceId }: Upstream): boolean => serviceId !== null && decisionOf(serviceId) === 'DOWN'

  const countOf = (isMeant: (key: RelayKey) => boolean): number => {
    let count = 0
    for (const { opening } of open) if (isMeant(opening.key)) count++
    return count
  }

  function refusalOf({ id, accountId }: RelayKey): RestError | null {
    const { eventStreams, eventStreamsPerKey, eventStreamsPerAccount } = settings
    if (isDraining || open.size >= eventStreams) return noRoomForStreams
    if (countOf((key) => key.id === id) >= eventStreamsPerKey)
      return tooManyStreams('this query key', eventStreamsPerKey)
    return countOf((key) => key.accountId === accountId) >= eventStreamsPerAccount
      ? tooManyStreams('the account of this query key', eventStreamsPerAccount)
      : null
  }

  /** Whether a stream may go on; takes over changes of its key. Throws Fault `unavailable`. */
  async function mayGoOn({ opening, stream }: OpenStream): Promise<boolean> {
    const { value, caller, method, path, pattern, from } = opening
    const authorization = await keys.authorize(value, opening.endpoint, caller)
    const endpoint = endpoints.find(opening.endpoint)
    if (authorization.kind !== 'allowed' || endpoint === undefined) return false
    const { key } = authorization
    stream.key = key
    if (offeredPattern({ request: { method }, path, endpoint, key }) !== pattern) return false
    const { upstreams } = endpoint
    if (!upstreams.some(({ url, serviceId }) => url === from.url && serviceId === from.serviceId))
      return false
    return !isDown(from) || upstreams.every(isDown)
  }

  async function recheck(each: OpenStream): Promise<void> {
    try {
      if (!(await mayGoOn(each))) each.stream.end()
    } catch (error) {
      // A stream goes on while the database is away.
      if (!(error instanceof Fault)) each.stream.end()
    }
  }

  const timer = setInterval(() => {
    const now = clock.monotonic()
    for (const each of open) {
      each.stream.tick(now)
      void recheck(each)
    }
  }, settings.recheckMs)
  timer.unref()
  options.metrics.observedGauge('relay_event_streams', 'Open event streams of callers', () => open.size)

  return {
    /** Returns the body of the response, or why there is none: then the node is told that nobody listens. */
    open(opening: StreamOpening): ReadableStream<Uint8Array<ArrayBuffer>> | RestError {
      const { key, source, pattern, cleaned } = opening
      const refusal = refusalOf(key)
      if (refusal !== null) {
        source.cancel().catch(() => undefined)
        return refusal
      }
      const priceOf = (): number => endpoints.find(opening.endpoint)?.priceOf(pattern) ?? 0
      const stream = new EventStream(key, { source, pattern, priceOf, cleaned }, services, (totals) => {
        open.delete(each)
        opening.onOver(totals)
      })
      const each = { opening, stream }
      open.add(each)
      return stream.body
    },

    /** Ends all of them, and opens no more. */
    drain(): void {
      isDraining = true
      clearInterval(timer)
      for (const { stream } of open) stream.end()
    },
  }
}
