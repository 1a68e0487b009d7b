/** Thrown when the time that was given is over. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed'

  constructor(deadlineMs: number) {
    super(`not done within ${Math.round(deadlineMs)} ms`)
  }
}

/**
 * Settles as `work` does, or rejects with DeadlinePassed after `deadlineMs`.
 * The work goes on then, and what becomes of it is not heard any more.
 */
export async function withDeadline<T>(work: Promise<T>, deadlineMs: number): Promise<T> {
  const { promise: passed, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new DeadlinePassed(deadlineMs)), deadlineMs)
  try {
    return await Promise.race([work, passed])
  } finally {
    clearTimeout(timer)
  }
}

/** True when `work` succeeds in time. */
export function succeedsWithin(work: Promise<unknown>, deadlineMs: number): Promise<boolean> {
  return withDeadline(work, deadlineMs).then(
    () => true,
    () => false,
  )
}
