import { DownstreamError } from './failure.ts'

/** One request under way, as the fetch below the SDK sees it. */
export interface Exchange {
  /** Goes with the request as a header, which the fetch takes off again: the SDK has no other way through. */
  readonly id: string
  readonly signal: AbortSignal
  /** Says why it is about to fail; the first reason counts. */
  note(error: DownstreamError): void
  /** As `note`, and ends it. */
  fail(error: DownstreamError): void
  /** Why it was ended from below. */
  readonly failure: DownstreamError | null
  close(): void
}

/** Named like nothing that a downstream could be sent. */
export const exchangeHeader = 'x-gatehouse-exchange'

export interface Exchanges {
  /** `signal` is the caller's. */
  open(signal: AbortSignal): Exchange
  find(id: string | null): Exchange | null
}

/** Ties what happens on the wire to the request it belongs to. */
export function createExchanges(): Exchanges {
  const open = new Map<string, Exchange>()
  let count = 0

  return {
    open(signal) {
      const controller = new AbortController()
      let failure: DownstreamError | null = null
      const onAbort = (): void => controller.abort(signal.reason)
      const exchange: Exchange = {
        id: String(++count),
        signal: controller.signal,
        get failure() {
          return failure
        },
        note(error) {
          failure ??= error
        },
        fail(error) {
          failure ??= error
          controller.abort(error)
        },
        close() {
          signal.removeEventListener('abort', onAbort)
          open.delete(exchange.id)
          controller.abort() // whatever still arrives for it is not read
        },
      }
      open.set(exchange.id, exchange)
      signal.addEventListener('abort', onAbort, { once: true })
      if (signal.aborted) onAbort()
      return exchange
    },
    find: (id) => (id === null ? null : (open.get(id) ?? null)),
  }
}
