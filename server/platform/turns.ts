/** Long work that waits for this now and then keeps nobody else from being served. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * Does one piece of work in each turn of the event loop, in the order of asking: however many come at once, nobody else
 * waits behind more than one of them.
 */
export type TakeTurn = <T>(work: () => T) => Promise<T>

export function createTurns(): TakeTurn {
  let previous: Promise<void> = Promise.resolve()
  return async (work) => {
    const mine = Promise.withResolvers<void>()
    const before = previous
    previous = mine.promise
    await before
    try {
      return work()
    } finally {
      setImmediate(mine.resolve)
    }
  }
}
