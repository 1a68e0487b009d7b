/** Lets one loop sleep until a time has passed, somebody rings, or its work is aborted. */
export interface Doorbell {
  /** Wakes the sleeper; with nobody asleep, the next wait ends at once. */
  ring(): void
  /** Resolves after `timeoutMs` (null: never by time). Serves one waiter at a time. */
  wait(timeoutMs: number | null, signal: AbortSignal): Promise<void>
}

export function createDoorbell(): Doorbell {
  let hasRung = false
  let wake: (() => void) | null = null

  return {
    ring() {
      if (wake) wake()
      else hasRung = true
    },
    wait(timeoutMs, signal) {
      if (hasRung || signal.aborted) {
        hasRung = false
        return Promise.resolve()
      }
      return new Promise((resolve) => {
        const finish = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', finish)
          wake = null
          resolve()
        }
        const timer = timeoutMs === null ? undefined : setTimeout(finish, timeoutMs)
        signal.addEventListener('abort', finish)
        wake = finish
      })
    },
  }
}

/** Resolves after so many milliseconds, or as soon as the signal aborts. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> => createDoorbell().wait(ms, signal)

/** Rejects with the signal's reason as soon as it aborts; `work` goes on unobserved. */
export async function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
