import { waitUntil } from '../../../scripts/world/wait-until.ts'
import { createCommonClock } from '../../../scripts/world/limit-nodes/common-clock.ts'

const clock = createCommonClock()

/** Waits until so much of the common time has passed, while the load goes on, and returns what time it is then. */
export async function pass(ms: number): Promise<number> {
  const until = clock.monotonic() + ms
  await waitUntil(`${ms} ms have passed`, () => clock.monotonic() >= until, ms + 5_000)
  return clock.monotonic()
}
