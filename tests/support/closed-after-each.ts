import { afterEach } from 'bun:test'

/** Returns a list of what a test has opened: after each test all of it is closed, what was opened last first. */
export function closedAfterEach(): (() => unknown)[] {
  const opened: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of opened.splice(0).toReversed()) await close()
  })
  return opened
}
