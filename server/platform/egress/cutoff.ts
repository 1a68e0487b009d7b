import { EgressError, toEgressError } from './failure.ts'

/** The one way in which an exchange is cut short; whoever comes first gives the reason. */
export interface Cutoff {
  /** Made when it is asked for: a signal with a listener costs more than the beginning of an exchange. */
  readonly signal: AbortSignal
  /** The reason for which it was cut short; null when it was not. */
  readonly reason: EgressError | null
  /** Who is told when it is cut short, at once where it was before; in place of whoever was to be told so far. */
  tell(listener: ((reason: EgressError) => void) | null): void
  /** Closes the connection and says why the exchange ended: this error, or what cut it short before. */
  fail(error: unknown): EgressError
  /** There is no deadline any more. */
  lift(): void
  /** The exchange is over: its timer stops and its caller's signal is forgotten. */
  release(): void
}

export interface Cutoffs {
  /** Starts the deadline of one exchange. `callerSignal` ends it with `ABORTED`. */
  open(timeoutMs: number, callerSignal: AbortSignal | null | undefined): Cutoff
  /** Ends every open exchange, and each later one at once, with `ABORTED`. */
  close(): void
}

export function createCutoffs(): Cutoffs {
  const open = new Set<Cutoff>()
  let isClosed = false

  return {
    open(timeoutMs, callerSignal) {
      let controller: AbortController | null = null
      let listener: ((reason: EgressError) => void) | null = null
      let reason: EgressError | null = null
      const fail = (error: unknown): EgressError => {
        if (reason !== null) return reason
        reason = toEgressError(error)
        controller?.abort(reason)
        listener?.(reason)
        return reason
      }
      const onCallerAbort = () => fail(new EgressError('ABORTED'))
      const timer = setTimeout(() => fail(new EgressError('TIMEOUT')), timeoutMs)
      const cutoff: Cutoff = {
        get signal() {
          controller ??= new AbortController()
          if (reason !== null) controller.abort(reason)
          return controller.signal
        },
        get reason() {
          return reason
        },
        tell(told) {
          listener = told
          if (reason !== null) listener?.(reason)
        },
        fail,
        lift: () => clearTimeout(timer),
        release() {
          clearTimeout(timer)
          callerSignal?.removeEventListener('abort', onCallerAbort)
          open.delete(cutoff)
        },
      }
      open.add(cutoff)
      callerSignal?.addEventListener('abort', onCallerAbort, { once: true })
      if (isClosed || callerSignal?.aborted === true) onCallerAbort()
      return cutoff
    },
    close() {
      isClosed = true
      for (const cutoff of open) cutoff.fail(new EgressError('ABORTED'))
    },
  }
}
