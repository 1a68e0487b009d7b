import { DownstreamError } from './failure.ts'

/**
 * Waits for work no longer than this, and no longer than its caller does. The work itself has to be ended by whoever
 * began it.
 */
export async function withinDeadline<T>(
  work: Promise<T>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<T> {
  const { promise: ended, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason)
  const timer = setTimeout(() => reject(new DownstreamError('timed_out')), timeoutMs)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    return await Promise.race([work, ended])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

/** Gives work a signal that ends with its caller's, and as `timed_out` after this time. */
export async function withTimeout<T>(
  caller: AbortSignal,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const onAbort = (): void => controller.abort(caller.reason)
  const timer = setTimeout(() => controller.abort(new DownstreamError('timed_out')), timeoutMs)
  caller.addEventListener('abort', onAbort, { once: true })
  if (caller.aborted) onAbort()
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    caller.removeEventListener('abort', onAbort)
  }
}
