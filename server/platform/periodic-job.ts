/** Work that is done again and again, never twice at once. */
export interface PeriodicJob {
  start(): void
  /** Begins no further run, and resolves when the one that is under way has ended. */
  stop(): Promise<void>
}

/** Creates a job whose runs begin `everyMs` apart; one that is due while another is under way is left out. */
export function createPeriodicJob(
  everyMs: number,
  work: () => Promise<void>,
  onFailed: (error: unknown) => void,
): PeriodicJob {
  let timer: Timer | undefined
  let running: Promise<void> | null = null

  function run(): void {
    running ??= work()
      .catch(onFailed)
      .finally(() => {
        running = null
      })
  }

  return {
    start() {
      timer = setInterval(run, everyMs)
    },
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
