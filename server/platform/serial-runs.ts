/** Work that never runs twice at once. */
export interface SerialRuns {
  /** Resolves with a run that began after the call; callers that wait for the same one share it. */
  run(): Promise<void>
  /** Joins the run that is on, if there is one. */
  runUnlessRunning(): Promise<void>
  /** Resolves when nothing runs, however it ended. */
  settled(): Promise<void>
}

export function createSerialRuns(work: () => Promise<void>): SerialRuns {
  let current: Promise<void> | null = null
  let next: Promise<void> | null = null

  function begin(): Promise<void> {
    const running = work().finally(() => {
      if (current === running) current = null
    })
    current = running
    return running
  }

  function run(): Promise<void> {
    if (current === null) return begin()
    next ??= ended(current).then(() => {
      next = null
      return begin()
    })
    return next
  }

  return {
    run,
    runUnlessRunning: () => current ?? begin(),
    async settled() {
      for (let last = next ?? current; last !== null; last = next ?? current) await ended(last)
    },
  }
}

const ended = (work: Promise<void>): Promise<void> =>
  work.then(
    () => undefined,
    () => undefined,
  )
