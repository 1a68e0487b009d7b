/** Runs at most a fixed number of tasks concurrently; the others wait in order of arrival. */
export interface ConcurrencyLimit {
  run<Result>(task: () => Promise<Result>): Promise<Result>
}

export function createConcurrencyLimit(limit: number): ConcurrencyLimit {
  const waiting: (() => void)[] = []
  let running = 0

  function enter(): Promise<void> {
    if (running < limit) {
      running += 1
      return Promise.resolve()
    }
    return new Promise((resolve) => waiting.push(resolve))
  }

  /** Passes the slot to the task that has waited longest, so that a newly arrived one cannot overtake it. */
  function leave(): void {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }

  return {
    async run(task) {
      await enter()
      try {
        return await task()
      } finally {
        leave()
      }
    },
  }
}
