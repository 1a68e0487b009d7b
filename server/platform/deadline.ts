/** Settles as `work` does, or rejects with the signal's reason as soon as it aborts; `work` then goes on unobserved. */
export async function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    // In this order, so that a signal that has aborted already wins over work that is done already.
    return await Promise.race([aborted, work])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** Thrown when the time that was given is over. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed'

  constructor(deadlineMs: number) {
    super(`not done within ${Math.round(deadlineMs)} ms`)
  }
}

/** Settles as `work` does, or rejects with `timedOut()` after `timeoutMs`; `work` then goes on unobserved. */
export async function withinDeadline<Result>(
  work: Promise<Result>,
  timeoutMs: number,
  timedOut: () => Error = () => new DeadlinePassed(timeoutMs),
): Promise<Result> {
  const { promise: expired, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(timedOut()), timeoutMs)
  try {
    return await Promise.race([work, expired])
  } finally {
    clearTimeout(timer)
  }
}

/** Runs `work` with a signal that aborts with its caller's, and with `timedOut()` after `timeoutMs`. */
export async function withDeadlineSignal<Result>(
  caller: AbortSignal,
  timeoutMs: number,
  timedOut: () => Error,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const onAbort = (): void => controller.abort(caller.reason)
  const timer = setTimeout(() => controller.abort(timedOut()), timeoutMs)
  caller.addEventListener('abort', onAbort, { once: true })
  if (caller.aborted) onAbort()
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    caller.removeEventListener('abort', onAbort)
  }
}
