/** Something that is done again and again until it is stopped. */
export interface Repeating {
  /** Resolves when it is not under way any more. */
  stop(): Promise<void>
}

/** Does a step, waits, and does it again. The step must not fail. */
export function repeat(step: () => Promise<void>, waitMs: number): Repeating {
  const stopping = new AbortController()
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await step()
      await Bun.sleep(waitMs)
    }
  })()
  return {
    stop() {
      stopping.abort()
      return running
    },
  }
}
