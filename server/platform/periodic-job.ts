/** Work that is done again and again, never twice at once. */
export interface PeriodicJob {
  /** Runs it now, or joins the run that is under way. */
  run(): Promise<void>
  start(): void
  /** Begins no further run by itself, and resolves when the one that is under way has ended. */
  stop(): Promise<void>
}

/** Creates a job that begins every `everyMs` once it is started. `onFailed` is called when such a run fails. */
export function createPeriodicJob(
  everyMs: number,
  work: () => Promise<void>,
  onFailed: (error: unknown) => void,
): PeriodicJob {
  let timer: Timer | undefined
  let running: Promise<void> | null = null

  function run(): Promise<void> {
    running ??= work().finally(() => {
      running = null
    })
    return running
  }

  return {
    run,
    start() {
      timer = setInterval(() => {
        if (running === null) run().catch(onFailed)
      }, everyMs)
    },
    async stop() {
      clearInterval(timer)
      await running?.catch(() => undefined)
    },
  }
}
