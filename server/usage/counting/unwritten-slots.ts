import { placeOf, slotIn } from './counter-files.ts'
import { slotsPerFile } from './file-layout.ts'

/** Slots with counts that the database does not have. */
export interface UnwrittenSlots {
  /** The slot was counted in; quick, because every call does it. */
  mark(slotId: number, minute: number): void
  /** At most so many slots, of those that `isWanted` (all where it is null), which are being written from now on. */
  take(limit: number, isWanted: ((slotId: number) => boolean) | null): number[]
  /** The database has what the slot held when it was taken. */
  written(slotId: number, minute: number): void
  /** It does not, or nobody knows. */
  notWritten(slotId: number): void
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
  let queue: number[] = []
  let unwritten = 0

  const statesOf = (slotId: number): Uint8Array => {
    const place = placeOf(slotId)
    return (states[place] ??= new Uint8Array(slotsPerFile))
  }

  function enqueue(slotId: number): void {
    statesOf(slotId)[slotIn(slotId)] = waiting
    queue.push(slotId)
  }

  return {
    mark(slotId, minute) {
      const own = statesOf(slotId)
      const slot = slotIn(slotId)
      const state = own[slot]
      if (state === clean) {
        own[slot] = waiting
        queue.push(slotId)
        unwritten++
        minutes.set(minute, (minutes.get(minute) ?? 0) + 1)
      } else if (state === beingWritten) own[slot] = changed
    },
    take(limit, isWanted) {
      const taken: number[] = []
      const left: number[] = []
      for (const slotId of queue) {
        if (taken.length < limit && (isWanted === null || isWanted(slotId))) taken.push(slotId)
        else left.push(slotId)
      }
      queue = left
      for (const slotId of taken) statesOf(slotId)[slotIn(slotId)] = beingWritten
      return taken
    },
    written(slotId, minute) {
      if (statesOf(slotId)[slotIn(slotId)] === changed) return enqueue(slotId)
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
