import type { LimitName } from '../../../shared/limits.ts'
import { fault } from '../../platform/fault.ts'
import { latencyClassOf } from '../latency.ts'
import type { CountedKey, CounterFiles } from './counter-files.ts'
import { slotIn } from './counter-files.ts'
import { countLatency } from './histogram.ts'
import { type MethodNames, createMethodNames } from './method-names.ts'
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
  /** Forgets keys that were not used for an hour. */
  forgetIdle(): void
}

export interface MeterOptions {
  readonly files: CounterFiles
  readonly unwritten: UnwrittenSlots
  /** Epoch ms. */
  readonly now: () => number
}

/** Slots of a key in the minute under way, by the numbers of their methods. */
interface Entry extends CountedKey {
  minute: number
  slots: Int32Array
}

interface Endpoint {
  /** The set of names begins anew with each hour. */
  methods: MethodNames
  readonly entries: Map<string, Entry>
}

const minuteMs = 60_000
const minutesPerHour = 60
/** A call that has not ended by then will not be told to have ended: its process may not wait for ever. */
const longestCallMinutes = 60
const noSlot = -1

export function createMeter({ files, unwritten, now }: MeterOptions): Meter {
  const endpoints = new Map<string, Endpoint>()
  const unsettled = new Map<number, number>()
  let minute = 0
  let closedBefore = 0

  /** Never runs back: one minute has one slot of a key and method. */
  function currentMinute(): number {
    const current = Math.floor(now() / minuteMs)
    if (current <= minute) return minute
    const isNewHour = Math.floor(current / minutesPerHour) !== Math.floor(minute / minutesPerHour)
    if (isNewHour) for (const endpoint of endpoints.values()) endpoint.methods = createMethodNames()
    minute = current
    return minute
  }

  function endpointOf(name: string): Endpoint {
    const known = endpoints.get(name)
    if (known !== undefined) return known
    const endpoint = { methods: createMethodNames(), entries: new Map<string, Entry>() }
    endpoints.set(name, endpoint)
    return endpoint
  }

  function entryOf({ entries }: Endpoint, key: MeteredKey, at: number): Entry {
    let entry = entries.get(key.id)
    if (entry === undefined) {
      entry = createEntry(key)
      entries.set(key.id, entry)
    }
    if (entry.minute !== at) {
      entry.minute = at
      entry.slots.fill(noSlot)
    }
    return entry
  }

  function slotOf(entry: Entry, methods: MethodNames, method: string): number | null {
    const place = methods.numberOf(method)
    const known = entry.slots[place] ?? noSlot
    if (known !== noSlot) return known
    const slotId = files.addSlot(entry, methods.nameOf(place), entry.minute)
    if (slotId === null) return null
    if (place >= entry.slots.length) entry.slots = grown(entry.slots, place + 1)
    entry.slots[place] = slotId
    return slotId
  }

  /** The slot of each call; null when there is no room for all. */
  function slotsOf(key: MeteredKey, calls: readonly MeteredCall[], at: number): number[] | null {
    const endpoint = endpointOf(key.endpoint)
    const entry = entryOf(endpoint, key, at)
    const slots: number[] = []
    for (const { method } of calls) {
      const slotId = slotOf(entry, endpoint.methods, method)
      if (slotId === null) return null
      slots.push(slotId)
    }
    return slots
  }

  function settle(
    slots: readonly number[],
    at: number,
    outcomes: readonly CallOutcome[],
    end: Settlement,
  ): void {
    release(unsettled, at)
    if (at < closedBefore) return
    for (const [index, slotId] of slots.entries()) {
      countEnd(
        files,
        slotId,
        outcomes[index] ?? 'unanswered',
        end,
        shareOf(end.bytesOut, slots.length, index),
        index,
      )
      unwritten.mark(slotId, at)
    }
  }

  return {
    admit(key, calls, bytesIn) {
      const at = currentMinute()
      const slots = slotsOf(key, calls, at)
      if (slots === null) throw noRoom()
      for (const [index, slotId] of slots.entries()) {
        const { words, numbers } = files.fileOf(slotId)
        const slot = slotIn(slotId)
        add(words, slot * slotWords + word.requests, 1)
        add(numbers, slot * slotNumbers + number.credits, calls[index]?.credits ?? 0)
        add(numbers, slot * slotNumbers + number.bytesIn, shareOf(bytesIn, slots.length, index))
        unwritten.mark(slotId, at)
      }
      unsettled.set(at, (unsettled.get(at) ?? 0) + 1)
      let isSettled = false
      return {
        settle(outcomes, end) {
          if (isSettled) return
          isSettled = true
          settle(slots, at, outcomes, end)
        },
      }
    },

    refuse(key, calls, limit) {
      const at = currentMinute()
      const counter = limit === 'rate' ? word.rateLimited : word.creditLimited
      for (const slotId of slotsOf(key, calls, at) ?? []) {
        add(files.fileOf(slotId).words, slotIn(slotId) * slotWords + counter, 1)
        unwritten.mark(slotId, at)
      }
    },

    closeBefore() {
      const current = currentMinute()
      for (const at of unsettled.keys()) if (at < current - longestCallMinutes) unsettled.delete(at)
      const oldest = Math.min(current, unwritten.oldestMinute() ?? current, ...unsettled.keys())
      closedBefore = Math.max(closedBefore, oldest)
      return closedBefore
    },

    forgetIdle() {
      const idleSince = currentMinute() - minutesPerHour
      for (const { entries } of endpoints.values()) {
        for (const [id, { minute: usedIn }] of entries) if (usedIn < idleSince) entries.delete(id)
      }
    },
  }
}

const createEntry = ({ id, accountId, endpoint }: MeteredKey): Entry => ({
  id,
  accountId,
  endpoint,
  namedInFile: 0,
  nameAt: 0,
  minute: 0,
  slots: new Int32Array(4).fill(noSlot),
})

function grown(slots: Int32Array, least: number): Int32Array {
  const larger = new Int32Array(Math.max(least, slots.length * 2)).fill(noSlot)
  larger.set(slots)
  return larger
}

function add(counters: Uint32Array | Float64Array, place: number, amount: number): void {
  counters[place] = (counters[place] ?? 0) + amount
}

/** What one of several calls has of bytes that they came or went in together. */
const shareOf = (bytes: number, calls: number, index: number): number =>
  Math.floor(bytes / calls) + (index < bytes % calls ? 1 : 0)

function countEnd(
  files: CounterFiles,
  slotId: number,
  outcome: CallOutcome,
  end: Settlement,
  bytesOut: number,
  index: number,
): void {
  const { words, numbers, bytes } = files.fileOf(slotId)
  const slot = slotIn(slotId)
  add(numbers, slot * slotNumbers + number.creditsBack, end.creditsBack[index] ?? 0)
  add(numbers, slot * slotNumbers + number.bytesOut, bytesOut)
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
