/** Lets one loop sleep until a time has passed, a producer notifies it, or its work is aborted. */
export interface WakeUp {
  /** Wakes the waiting loop. Without one, the next call of `wait` returns at once, so that no notification is lost. */
  notify(): void
  /** Resolves after `timeoutMs` (null: only on a notification or abort). Supports one waiter at a time. */
  wait(timeoutMs: number | null, signal: AbortSignal): Promise<void>
}

export function createWakeUp(): WakeUp {
  let isNotified = false
  let wake: (() => void) | null = null

  return {
    notify() {
      if (wake) wake()
      else isNotified = true
    },
    wait(timeoutMs, signal) {
      if (isNotified || signal.aborted) {
        isNotified = false
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

/** Resolves after `ms` milliseconds, or as soon as the signal aborts; it never rejects. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> => createWakeUp().wait(ms, signal)
