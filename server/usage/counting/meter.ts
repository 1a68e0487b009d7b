import type { LimitName } from '../../../shared/limits.ts'
import { fault } from '../../platform/fault.ts'
import { latencyClassOf } from '../latency-histogram.ts'
import type { CounterFiles } from './counter-files.ts'
import {
  add,
  addEnds,
  type EndedCounts,
  number,
  slotIn,
  slotNumbers,
  slotWords,
  word,
} from './slot-layout.ts'
import { endOfRun, type KeySlots } from './key-slots.ts'
import type { UnwrittenSlots } from './unwritten-slots.ts'

/** The fields of a query key that the meter uses. */
export interface MeteredKey {
  readonly id: string
  readonly accountId: string
  readonly endpoint: string
}

interface PricedCall {
  readonly method: string
  /** The cost of the call, a whole number. */
  readonly credits: number
}

/** `cached`: a result of the cache. `error`: an upstream answered with a JSON-RPC error. `unanswered`: none answered. */
type MeasuredOutcome = 'ok' | 'cached' | 'error' | 'unanswered'

/** One request to an upstream. */
export interface MeasuredAttempt {
  readonly upstream: string
  /** Whether it was answered, or why not. */
  readonly class: string
  readonly ms: number
  /** It was made for another request, which counts it. */
  readonly isShared?: true | undefined
}

/** The attempts at upstreams for one request of a caller. */
export interface AttemptsOfRequest {
  readonly accountId: string
  readonly keyId: string
  readonly endpoint: string
  /** The minute since 1970 in which they ended. */
  readonly minute: number
  readonly attempts: readonly MeasuredAttempt[]
}

interface Settlement {
  readonly bytesOut: number
  /** The bytes that were not known when the calls were admitted. */
  readonly bytesIn?: number
  readonly tookMs: number
  /** The credits returned for each call. */
  readonly creditsBack: readonly number[]
  /** What was sent upstream for them. */
  readonly attempts?: readonly MeasuredAttempt[]
}

/** Calls that were admitted and counted. */
export interface MeasuredCalls {
  /** Counts how each of them ended, in their order. Called once. */
  settle(outcomes: readonly MeasuredOutcome[], settlement: Settlement): void
}

export interface Meter {
  /**
   * Counts calls before anything is sent upstream: from its return on they are counted, however this process ends.
   * Fault: `unavailable` when there is no room; nothing was counted then, and nothing may be sent.
   */
  admit(key: MeteredKey, calls: readonly PricedCall[], bytesIn: number): MeasuredCalls
  /** Counts calls that a limit refused, as long as there is room; `attempts` says in their words what became of them. */
  refuse(
    key: MeteredKey,
    calls: readonly PricedCall[],
    limit: LimitName,
    attempts?: readonly MeasuredAttempt[],
  ): void
  /**
   * Returns the first minute (since 1970) that may still change. Later ends of earlier calls are not counted.
   */
  closeBefore(): number
  /** Returns the attempts at upstreams since the last time. */
  takeAttempts(): AttemptsOfRequest[]
}

interface MeterOptions {
  readonly files: CounterFiles
  readonly keySlots: KeySlots
  readonly unwritten: UnwrittenSlots
}

/** Bounds the requests between two flushes whose attempts are noted; far more than one process can answer. */
const mostAttempted = 200_000

/** The longest time for which a minute stays open for a call that has not ended. */
const longestCallMinutes = 60

export function createMeter({ files, keySlots, unwritten }: MeterOptions): Meter {
  const unsettled = createUnsettledCalls()
  let closedBefore = 0
  let attempted: AttemptsOfRequest[] = []

  /** Adds them to a list, because every call does it; they are summed up later. */
  function noteAttempts(
    { id: keyId, accountId, endpoint }: MeteredKey,
    attempts: readonly MeasuredAttempt[],
  ): void {
    if (attempted.length < mostAttempted)
      attempted.push({ accountId, keyId, endpoint, minute: keySlots.currentMinute(), attempts })
  }

  function settle(
    { accountId }: MeteredKey,
    { slots, calls }: CountedCalls,
    minute: number,
    outcomes: readonly MeasuredOutcome[],
    { bytesOut, bytesIn = 0, tookMs, creditsBack }: Settlement,
  ): void {
    if (minute < closedBefore) return
    const latencyClass = latencyClassOf(tookMs)
    const count = slots.length
    for (let first = 0, end = 0; first < count; first = end) {
      const slotId = slots[first] ?? 0
      end = endOfRun(slots, first)
      const ended = endedOf({ calls, outcomes, creditsBack }, first, end)
      addEnds(files.fileOf(slotId), slotIn(slotId), ended, {
        latencyClass,
        bytesIn: shareOf(bytesIn, count, first, end),
        bytesOut: shareOf(bytesOut, count, first, end),
      })
      unwritten.mark(slotId, minute, accountId)
    }
  }

  /** Calls that were admitted together, until they end. */
  class OpenCalls implements MeasuredCalls {
    #minute: UnsettledMinute | null
    readonly #key: MeteredKey
    readonly #counted: CountedCalls

    constructor(minute: UnsettledMinute, key: MeteredKey, counted: CountedCalls) {
      this.#minute = minute
      this.#key = key
      this.#counted = counted
    }

    settle(outcomes: readonly MeasuredOutcome[], settlement: Settlement): void {
      const minute = this.#minute
      if (minute === null) return
      this.#minute = null
      minute.calls--
      settle(this.#key, this.#counted, minute.minute, outcomes, settlement)
      const { attempts = [] } = settlement
      if (attempts.length > 0) noteAttempts(this.#key, attempts)
    }
  }

  return {
    admit(key, calls, bytesIn) {
      const minute = keySlots.currentMinute()
      const slots = keySlots.find(key, calls, minute)
      if (slots === null) throw noRoom()
      const count = slots.length
      for (let first = 0, end = 0; first < count; first = end) {
        const slotId = slots[first] ?? 0
        end = endOfRun(slots, first)
        const { words, numbers } = files.fileOf(slotId)
        const slot = slotIn(slotId)
        let credits = 0
        for (let index = first; index < end; index++) credits += calls[index]?.credits ?? 0
        add(words, slot * slotWords + word.requests, end - first)
        add(numbers, slot * slotNumbers + number.credits, credits)
        add(numbers, slot * slotNumbers + number.bytesIn, shareOf(bytesIn, count, first, end))
        unwritten.mark(slotId, minute, key.accountId)
      }
      const open = unsettled.at(minute)
      open.calls++
      return new OpenCalls(open, key, { slots, calls })
    },

    refuse(key, calls, limit, attempts = []) {
      const minute = keySlots.currentMinute()
      const counter = limit === 'rate' ? word.rateLimited : word.creditLimited
      for (const slotId of keySlots.find(key, calls, minute) ?? []) {
        add(files.fileOf(slotId).words, slotIn(slotId) * slotWords + counter, 1)
        unwritten.mark(slotId, minute, key.accountId)
      }
      if (attempts.length > 0) noteAttempts(key, attempts)
    },

    closeBefore() {
      const current = keySlots.currentMinute()
      unsettled.forgetBefore(current - longestCallMinutes)
      const oldest = Math.min(
        current,
        unwritten.oldestMinute() ?? current,
        unsettled.oldestMinute() ?? current,
      )
      closedBefore = Math.max(closedBefore, oldest)
      return closedBefore
    },

    takeAttempts() {
      const taken = attempted
      attempted = []
      return taken
    },
  }
}

/** Calls with the slot of each. */
interface CountedCalls {
  readonly slots: readonly number[]
  readonly calls: readonly PricedCall[]
}

interface SettledCalls {
  readonly calls: readonly PricedCall[]
  readonly outcomes: readonly MeasuredOutcome[]
  readonly creditsBack: readonly number[]
}

/** Adds up how the calls from `first` until `end` ended. */
function endedOf({ calls, outcomes, creditsBack }: SettledCalls, first: number, end: number): EndedCounts {
  const ended = { calls: end - first, results: 0, cached: 0, unanswered: 0, charged: 0, back: 0 }
  for (let index = first; index < end; index++) {
    const outcome = outcomes[index] ?? 'unanswered'
    const back = creditsBack[index] ?? 0
    ended.back += back
    ended.charged += (calls[index]?.credits ?? 0) - back
    if (outcome === 'unanswered') ended.unanswered++
    if (outcome === 'cached') ended.cached++
    if (outcome === 'ok' || outcome === 'cached') ended.results++
  }
  return ended
}

/** Returns the share of the calls from `first` until `end` in bytes that `calls` of them sent or received together. */
const shareOf = (bytes: number, calls: number, first: number, end: number): number =>
  Math.floor(bytes / calls) * (end - first) + Math.min(end, bytes % calls) - Math.min(first, bytes % calls)

const noRoom = () =>
  fault('unavailable', 'Calls cannot be counted at the moment; try again shortly', { retryAfterSec: 2 })

/** Calls that began in one minute and have not ended. */
interface UnsettledMinute {
  /** The minute since 1970. */
  readonly minute: number
  calls: number
}

/** The number of calls that have not ended, by the minute in which they began. */
interface UnsettledCalls {
  /** Returns the entry of a minute. Minutes must not run back. */
  at(minute: number): UnsettledMinute
  /** Forgets calls that began before this minute. */
  forgetBefore(minute: number): void
  oldestMinute(): number | null
}

function createUnsettledCalls(): UnsettledCalls {
  let minutes: UnsettledMinute[] = []
  let newest: UnsettledMinute | undefined

  return {
    at(minute) {
      if (newest?.minute !== minute) {
        newest = { minute, calls: 0 }
        minutes.push(newest)
      }
      return newest
    },
    forgetBefore(minute) {
      minutes = minutes.filter((each) => each.minute >= minute && (each.calls > 0 || each === newest))
    },
    oldestMinute: () => minutes.find(({ calls }) => calls > 0)?.minute ?? null,
  }
}
