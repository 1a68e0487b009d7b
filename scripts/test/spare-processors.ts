import { availableParallelism, cpus } from 'node:os'

/**
 * So many busy test processes run beside each other in any case. On a fast machine they leave the processors idle for a
 * part of the time, because each waits for something now and then; on a slow one another would only make tests miss what
 * they wait for.
 */
export const busySlots = availableParallelism()

const watchedMs = 5000
/** Of the time of all processors. */
const enoughIdle = 0.2

/** Watches the processors for a while: is there room for another busy process? */
export async function areProcessorsSpare(): Promise<boolean> {
  const before = processorTimes()
  await Bun.sleep(watchedMs)
  const after = processorTimes()
  return after.idle - before.idle > enoughIdle * (after.all - before.all)
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

function processorTimes(): { idle: number; all: number } {
  const times = cpus().map((processor) => processor.times)
  return {
    idle: sumOf(times.map(({ idle }) => idle)),
    all: sumOf(times.flatMap((each) => Object.values(each))),
  }
}
