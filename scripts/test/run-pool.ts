import { availableParallelism } from 'node:os'

/**
 * How many busy test processes run beside each other. One more than there are cores, because even these wait for half of
 * their time; with two more, tests that wait for something in time begin to miss it.
 */
export const busySlots = availableParallelism() + 1

/**
 * Runs `run` for every item, at most `slots` at a time, in the order given.
 * A `run` that rejects ends the pool with its error; the items that are running then go on.
 */
export async function runPool<Item>(
  items: readonly Item[],
  slots: number,
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items]
  const runNext = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await run(item)
  }
  await Promise.all(Array.from({ length: slots }, runNext))
}
