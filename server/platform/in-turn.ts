/**
 * Does work of one key in the order of asking, one piece after the other; work of different keys goes on side by side.
 * What waits here holds nothing, in contrast to what waits for a lock in the database.
 */
export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>

export function createInTurn(): InTurn {
  const last = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const before = last.get(key)
    const mine = before === undefined ? work() : before.then(work, work)
    last.set(key, mine)
    try {
      return await mine
    } finally {
      if (last.get(key) === mine) last.delete(key)
    }
  }
}
