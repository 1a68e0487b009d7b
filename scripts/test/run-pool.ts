/**
 * Runs `run` for every item, at most `slots` at a time, in the order given, and one more whenever `isRoom` finds that
 * there is room for it. It is asked again as long as items wait, so it has to take its time.
 * A `run` that rejects ends the pool with its error; the items that are running then go on.
 */
export async function runPool<Item>(
  items: readonly Item[],
  slots: number,
  run: (item: Item) => Promise<void>,
  isRoom?: () => Promise<boolean>,
): Promise<void> {
  const waiting = [...items]
  const runNext = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await run(item)
  }
  const runWhereRoom = async (mayRun: () => Promise<boolean>): Promise<void> => {
    while (waiting.length > 0) {
      const item = (await mayRun()) ? waiting.shift() : undefined
      if (item !== undefined) await run(item)
    }
  }
  const runners = Array.from({ length: slots }, runNext)
  await Promise.all(isRoom === undefined ? runners : [...runners, runWhereRoom(isRoom)])
}
