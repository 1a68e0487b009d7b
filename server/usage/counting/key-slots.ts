import type { CountedKey, CounterFiles } from './counter-files.ts'
import { minuteMs } from '../../../shared/durations.ts'
import { otherMethods, statisticsBounds } from '../../../shared/usage.ts'

/** Finds the slots in which calls are counted. */
export interface KeySlots {
  /**
   * Returns the current minute since 1970. It never runs back: a key and method have one slot for each minute.
   */
  currentMinute(): number
  /** Returns the slot of each call in `minute`, the current one; null when there is no room for all. */
  find(key: SlotOwner, calls: readonly { readonly method: string }[], minute: number): number[] | null
  /** Forgets keys that were not used for an hour. */
  forgetIdle(): void
  /** Returns how often each key that is remembered was called at each endpoint, refused calls included. */
  callsOfKeys(): CallsOfKey[]
}

/** The calls of a key at one endpoint since it is remembered. */
export interface CallsOfKey {
  readonly keyId: string
  readonly endpoint: string
  readonly calls: number
}

type SlotOwner = Pick<CountedKey, 'id' | 'accountId' | 'endpoint'>

/** The slots of a key in the current minute, by the numbers of their methods. */
interface Entry extends CountedKey {
  minute: number
  slots: Int32Array
  calls: number
}

interface Endpoint {
  /** The set of names, which is emptied each hour. */
  methods: MethodNames
  readonly entries: Map<string, Entry>
}

const minutesPerHour = 60
const noSlot = -1

/** Makes the slots. `now` returns epoch ms. */
export function createKeySlots(files: CounterFiles, now: () => number): KeySlots {
  const endpoints = new Map<string, Endpoint>()
  let minute = 0

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

  function entryOf({ entries }: Endpoint, key: SlotOwner, at: number): Entry {
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

  function find(key: SlotOwner, calls: readonly { readonly method: string }[], at: number): number[] | null {
    const endpoint = endpointOf(key.endpoint)
    const entry = entryOf(endpoint, key, at)
    entry.calls += calls.length
    const slots: number[] = []
    // By number: every call goes through here, and entries are objects.
    for (let index = 0; index < calls.length; index++) {
      const slotId = slotOf(entry, endpoint.methods, calls[index]?.method ?? '')
      if (slotId === null) return null
      slots.push(slotId)
    }
    return slots
  }

  return {
    currentMinute,
    find,
    forgetIdle() {
      const idleSince = currentMinute() - minutesPerHour
      for (const { entries } of endpoints.values()) {
        for (const [id, { minute: usedIn }] of entries) if (usedIn < idleSince) entries.delete(id)
      }
    },
    callsOfKeys: () =>
      [...endpoints.values()].flatMap(({ entries }) =>
        Array.from(entries.values(), ({ id: keyId, endpoint, calls }) => ({ keyId, endpoint, calls })),
      ),
  }
}

/**
 * Returns where the calls end that are counted in the same slot as the one at `first` and stand beside it. Those of a batch
 * are mostly of one method, and are added at once.
 */
export function endOfRun(slots: readonly number[], first: number): number {
  let end = first + 1
  while (end < slots.length && slots[end] === slots[first]) end++
  return end
}

const createEntry = ({ id, accountId, endpoint }: SlotOwner): Entry => ({
  id,
  accountId,
  endpoint,
  namedInFile: 0,
  nameAt: 0,
  minute: 0,
  slots: new Int32Array(4).fill(noSlot),
  calls: 0,
})

function grown(slots: Int32Array, least: number): Int32Array {
  const larger = new Int32Array(Math.max(least, slots.length * 2)).fill(noSlot)
  larger.set(slots)
  return larger
}

/** The number of methods told apart at an endpoint. Callers can invent names, so it is bounded. */
export const maxMethods = 200

/** The methods called at one endpoint, numbered from 1; 0 stands for all others. */
interface MethodNames {
  numberOf(method: string): number
  nameOf(number: number): string
}

/** A pattern of paths has a blank: `GET /eth/v1/node/*`. */
const isPlain = (method: string): boolean => /^[\x21-\x7e]+(?: [\x21-\x7e]+)?$/.test(method)

function createMethodNames(): MethodNames {
  const numbers = new Map<string, number>()
  const names: string[] = [otherMethods]

  function add(method: string): number {
    if (names.length > maxMethods || method.length > statisticsBounds.methodChars || !isPlain(method))
      return 0
    const number = method === otherMethods ? 0 : names.push(method) - 1
    numbers.set(method, number)
    return number
  }

  return {
    numberOf: (method) => numbers.get(method) ?? add(method),
    nameOf: (number) => names[number] ?? otherMethods,
  }
}
