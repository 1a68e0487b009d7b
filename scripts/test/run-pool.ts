import { availableParallelism } from 'node:os'

/**
 * How many test processes run beside each other. One more than there are cores, because a test process waits for half of
 * its time; with two more, tests that wait for something in time begin to miss it.
 */
export const defaultSlots = availableParallelism() + 1

/**
 * Runs `run` for every item, at most `slots` at a time, in the order given. Items for which `runsAlone` holds come last
 * and run with nothing beside them. Resolves with the results in the order in which the items ended.
 * A `run` that rejects ends the pool with its error; the items that are running then go on.
 */
export async function runPool<Item, Result>(
  items: readonly Item[],
  { slots, runsAlone, run }: PoolOptions<Item, Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const waiting = items.filter((item) => !runsAlone(item))
  const runNext = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) results.push(await run(item))
  }
  await Promise.all(Array.from({ length: slots }, runNext))
  for (const item of items.filter(runsAlone)) results.push(await run(item))
  return results
}

interface PoolOptions<Item, Result> {
  slots: number
  runsAlone(item: Item): boolean
  run(item: Item): Promise<Result>
}
