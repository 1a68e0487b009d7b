import type { Log } from './log.ts'

/** Holds what has to be undone when everything ends, or when the start fails half-way. */
export interface Cleanups {
  add(cleanup: () => void | Promise<void>): void
  /** Runs them once, the last added first. */
  run(): Promise<void>
}

export function createCleanups(log: Log): Cleanups {
  const cleanups: (() => void | Promise<void>)[] = []
  return {
    add: (cleanup) => void cleanups.push(cleanup),
    async run() {
      for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) {
        try {
          await cleanup()
        } catch (error) {
          log.error('a part did not stop as it should', { error }) // the others must stop all the same
        }
      }
    },
  }
}
