import { placeOf, slotIn } from './counter-files.ts'
import { slotsPerFile } from './file-layout.ts'

/** Slots with counts that the database does not have. */
export interface UnwrittenSlots {
  /** The slot was counted in; quick, because every call does it. */
  mark(slotId: number, minute: number, accountId: string): void
  /** At most so many slots, of one account or of any (null), which are being written from now on. */
  take(limit: number, accountId: string | null): number[]
  /** The database has what the slot held when it was taken. */
  written(slotId: number, minute: number, accountId: string): void
  /** It does not, or nobody knows. */
  notWritten(slotId: number, accountId: string): void
  /** Those that wait and those that are being written. */
  size(): number
  oldestMinute(): number | null
}

const clean = 0
const waiting = 1
const beingWritten = 2
/** Counted in again while it is being written. */
const changed = 3

export function createUnwrittenSlots(): UnwrittenSlots {
  const states: (Uint8Array | undefined)[] = []
  const minutes = new Map<number, number>()
  /** By account, in the order in which they began to wait. */
  const queues = new Map<string, number[]>()
  let unwritten = 0

  const statesOf = (slotId: number): Uint8Array => {
    const place = placeOf(slotId)
    return (states[place] ??= new Uint8Array(slotsPerFile))
  }

  function enqueue(slotId: number, accountId: string): void {
    statesOf(slotId)[slotIn(slotId)] = waiting
    const queue = queues.get(accountId)
    if (queue === undefined) queues.set(accountId, [slotId])
    else queue.push(slotId)
  }

  /** The first that wait of one account. */
  function takeOf(accountId: string, limit: number): number[] {
    const queue = queues.get(accountId) ?? []
    if (queue.length > limit) return queue.splice(0, limit)
    queues.delete(accountId)
    return queue
  }

  function takeOfAny(limit: number): number[] {
    const taken: number[] = []
    for (const accountId of queues.keys()) {
      if (taken.length >= limit) break
      taken.push(...takeOf(accountId, limit - taken.length))
    }
    return taken
  }

  return {
    mark(slotId, minute, accountId) {
      const own = statesOf(slotId)
      const slot = slotIn(slotId)
      const state = own[slot]
      if (state === clean) {
        enqueue(slotId, accountId)
        unwritten++
        minutes.set(minute, (minutes.get(minute) ?? 0) + 1)
      } else if (state === beingWritten) own[slot] = changed
    },
    take(limit, accountId) {
      const taken = accountId === null ? takeOfAny(limit) : takeOf(accountId, limit)
      for (const slotId of taken) statesOf(slotId)[slotIn(slotId)] = beingWritten
      return taken
    },
    written(slotId, minute, accountId) {
      if (statesOf(slotId)[slotIn(slotId)] === changed) return enqueue(slotId, accountId)
      statesOf(slotId)[slotIn(slotId)] = clean
      unwritten--
      const others = (minutes.get(minute) ?? 1) - 1
      if (others === 0) minutes.delete(minute)
      else minutes.set(minute, others)
    },
    notWritten: enqueue,
    size: () => unwritten,
    oldestMinute: () => (minutes.size === 0 ? null : Math.min(...minutes.keys())),
  }
}
