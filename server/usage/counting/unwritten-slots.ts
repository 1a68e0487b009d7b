import { placeOf, slotIn, slotsPerFile } from './slot-layout.ts'

/** The slots with counts that the database does not have. */
export interface UnwrittenSlots {
  /** Marks a slot as changed; fast, because every call does it. */
  mark(slotId: number, minute: number, accountId: string): void
  /**
   * Takes at most so many slots, of one account or of any (null); they count as being written from now on.
   */
  take(limit: number, accountId: string | null): number[]
  /** Called when the database has what the slot held when it was taken. */
  written(slotId: number, minute: number, accountId: string): void
  /** Called when the write failed, or its outcome is unknown. */
  notWritten(slotId: number, accountId: string): void
  /** Returns the number of slots that wait or are being written. */
  size(): number
  oldestMinute(): number | null
}

const clean = 0
const waiting = 1
const beingWritten = 2
/** The slot changed again while it is being written. */
const changed = 3

/** The states of the slots of one file, in five bytes each, because there may be millions. */
interface FileStates {
  readonly states: Uint8Array
  /** The next slot in the queue after each one. */
  readonly followers: Int32Array
}

/** The slots of one account, in the order in which they began to wait. */
interface Queue {
  first: number
  last: number
}

const none = -1

export function createUnwrittenSlots(): UnwrittenSlots {
  const files: (FileStates | undefined)[] = []
  const minutes = new Map<number, number>()
  const queues = new Map<string, Queue>()
  let unwritten = 0

  function fileOf(slotId: number): FileStates {
    const place = placeOf(slotId)
    const known = files[place]
    if (known !== undefined) return known
    const file = { states: new Uint8Array(slotsPerFile), followers: new Int32Array(slotsPerFile) }
    files[place] = file
    return file
  }

  function enqueue(slotId: number, accountId: string): void {
    const { states, followers } = fileOf(slotId)
    states[slotIn(slotId)] = waiting
    followers[slotIn(slotId)] = none
    const queue = queues.get(accountId)
    if (queue === undefined) {
      queues.set(accountId, { first: slotId, last: slotId })
      return
    }
    fileOf(queue.last).followers[slotIn(queue.last)] = slotId
    queue.last = slotId
  }

  /** Adds the first waiting slots of an account, until so many are taken. */
  function takeOf(accountId: string, limit: number, taken: number[]): void {
    const queue = queues.get(accountId)
    if (queue === undefined) return
    let slotId = queue.first
    while (slotId !== none && taken.length < limit) {
      const { states, followers } = fileOf(slotId)
      states[slotIn(slotId)] = beingWritten
      taken.push(slotId)
      slotId = followers[slotIn(slotId)] ?? none
    }
    queue.first = slotId
    if (slotId === none) queues.delete(accountId)
  }

  return {
    mark(slotId, minute, accountId) {
      const { states } = fileOf(slotId)
      const slot = slotIn(slotId)
      const state = states[slot]
      if (state === waiting) return
      if (state === clean) {
        enqueue(slotId, accountId)
        unwritten++
        minutes.set(minute, (minutes.get(minute) ?? 0) + 1)
      } else states[slot] = changed
    },
    take(limit, accountId) {
      const taken: number[] = []
      for (const owner of accountId === null ? queues.keys() : [accountId]) {
        if (taken.length >= limit) break
        takeOf(owner, limit, taken)
      }
      return taken
    },
    written(slotId, minute, accountId) {
      const { states } = fileOf(slotId)
      const slot = slotIn(slotId)
      if (states[slot] === changed) {
        enqueue(slotId, accountId)
        return
      }
      states[slot] = clean
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
