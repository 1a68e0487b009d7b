import type { LimitName } from '../../../shared/limits.ts'
import { fault } from '../../platform/fault.ts'
import { latencyClassOf } from '../latency.ts'
import type { CounterFiles } from './counter-files.ts'
import { slotIn } from './counter-files.ts'
import { countLatency } from './histogram.ts'
import type { KeySlots } from './key-slots.ts'
import { number, slotNumbers, slotWords, word } from './slot-layout.ts'
import type { UnwrittenSlots } from './unwritten-slots.ts'

/** What the meter knows of a query key. */
export interface MeteredKey {
  readonly id: string
  readonly accountId: string
  readonly endpoint: string
}

export interface MeteredCall {
  readonly method: string
  /** What the call costs: a whole number. */
  readonly credits: number
}

/** `error`: an upstream answered with a JSON-RPC error. `unanswered`: none answered. */
export type CallOutcome = 'ok' | 'error' | 'unanswered'

export interface Settlement {
  readonly bytesOut: number
  readonly tookMs: number
  /** Of each call, how many of its credits were given back. */
  readonly creditsBack: readonly number[]
}

/** Calls that were admitted and counted. */
export interface Metered {
  /** How each of them ended, in their order. Once. */
  settle(outcomes: readonly CallOutcome[], settlement: Settlement): void
}

export interface Meter {
  /**
   * Counts calls before anything goes upstream: from its return on they are counted, however this process ends.
   * Fault: `unavailable` when there is no room to count; nothing was counted then, and nothing may go upstream.
   */
  admit(key: MeteredKey, calls: readonly MeteredCall[], bytesIn: number): Metered
  /** Counts calls that a limit refused, as long as there is room. */
  refuse(key: MeteredKey, calls: readonly MeteredCall[], limit: LimitName): void
  /** The first minute (since 1970) that may still change. Later ends of earlier calls are not counted any more. */
  closeBefore(): number
}

export interface MeterOptions {
  readonly files: CounterFiles
  readonly keySlots: KeySlots
  readonly unwritten: UnwrittenSlots
}

/** A call that has not ended by then will not be told to have ended: its process may not wait for ever. */
const longestCallMinutes = 60

export function createMeter({ files, keySlots, unwritten }: MeterOptions): Meter {
  const unsettled = new Map<number, number>()
  let closedBefore = 0

  function settle(
    key: MeteredKey,
    slots: readonly number[],
    at: number,
    outcomes: readonly CallOutcome[],
    end: Settlement,
  ): void {
    release(unsettled, at)
    if (at < closedBefore) return
    const count = slots.length
    for (let index = 0; index < count; index++) {
      const slotId = slots[index] ?? 0
      const outcome = outcomes[index] ?? 'unanswered'
      countEnd(files, slotId, outcome, {
        tookMs: end.tookMs,
        bytesOut: shareOf(end.bytesOut, count, index),
        creditsBack: end.creditsBack[index] ?? 0,
      })
      unwritten.mark(slotId, at, key.accountId)
    }
  }

  return {
    admit(key, calls, bytesIn) {
      const at = keySlots.currentMinute()
      const slots = keySlots.find(key, calls)
      if (slots === null) throw noRoom()
      // By number: every call goes through here, and entries are objects.
      for (let index = 0; index < slots.length; index++) {
        const slotId = slots[index] ?? 0
        const { words, numbers } = files.fileOf(slotId)
        const slot = slotIn(slotId)
        add(words, slot * slotWords + word.requests, 1)
        add(numbers, slot * slotNumbers + number.credits, calls[index]?.credits ?? 0)
        add(numbers, slot * slotNumbers + number.bytesIn, shareOf(bytesIn, slots.length, index))
        unwritten.mark(slotId, at, key.accountId)
      }
      unsettled.set(at, (unsettled.get(at) ?? 0) + 1)
      let isSettled = false
      return {
        settle(outcomes, end) {
          if (isSettled) return
          isSettled = true
          settle(key, slots, at, outcomes, end)
        },
      }
    },

    refuse(key, calls, limit) {
      const at = keySlots.currentMinute()
      const counter = limit === 'rate' ? word.rateLimited : word.creditLimited
      for (const slotId of keySlots.find(key, calls) ?? []) {
        add(files.fileOf(slotId).words, slotIn(slotId) * slotWords + counter, 1)
        unwritten.mark(slotId, at, key.accountId)
      }
    },

    closeBefore() {
      const current = keySlots.currentMinute()
      for (const at of unsettled.keys()) if (at < current - longestCallMinutes) unsettled.delete(at)
      const oldest = Math.min(current, unwritten.oldestMinute() ?? current, ...unsettled.keys())
      closedBefore = Math.max(closedBefore, oldest)
      return closedBefore
    },
  }
}

function add(counters: Uint32Array | Float64Array, place: number, amount: number): void {
  counters[place] = (counters[place] ?? 0) + amount
}

/** What one of several calls has of bytes that they came or went in together. */
const shareOf = (bytes: number, calls: number, index: number): number =>
  Math.floor(bytes / calls) + (index < bytes % calls ? 1 : 0)

interface CallEnd {
  readonly tookMs: number
  readonly bytesOut: number
  readonly creditsBack: number
}

function countEnd(files: CounterFiles, slotId: number, outcome: CallOutcome, end: CallEnd): void {
  const { words, numbers, bytes } = files.fileOf(slotId)
  const slot = slotIn(slotId)
  add(numbers, slot * slotNumbers + number.creditsBack, end.creditsBack)
  add(numbers, slot * slotNumbers + number.bytesOut, end.bytesOut)
  if (outcome !== 'unanswered') countLatency(words, bytes, slot, latencyClassOf(end.tookMs))
  add(words, slot * slotWords + (outcome === 'ok' ? word.ok : word.errors), 1)
}

function release(held: Map<number, number>, minute: number): void {
  const others = (held.get(minute) ?? 0) - 1
  if (others > 0) held.set(minute, others)
  else held.delete(minute)
}

const noRoom = () =>
  fault('unavailable', 'Calls cannot be counted at the moment; try again shortly', { retryAfterSec: 2 })
