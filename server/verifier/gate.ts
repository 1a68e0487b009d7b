/** Lets at most so many tasks run at once; the others wait in the order in which they came. */
export interface Gate {
  run<Result>(task: () => Promise<Result>): Promise<Result>
}

export function createGate(limit: number): Gate {
  const waiting: (() => void)[] = []
  let running = 0

  function enter(): Promise<void> {
    if (running < limit) {
      running += 1
      return Promise.resolve()
    }
    return new Promise((resolve) => waiting.push(resolve))
  }

  /** Hands the place to the next in line, so that nobody can slip in between. */
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
