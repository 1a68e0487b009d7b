import type { Clock } from '../../platform/clock.ts'
import type { Egress } from '../../platform/egress.ts'
import { EgressError } from '../../platform/egress.ts'
import type { PoolBounds } from './connection-pool.ts'
import type { Exchange, SendFailure, Sender } from './exchange.ts'

interface EgressSenderOptions {
  readonly egress: Egress
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly bounds: PoolBounds
  readonly clock: Clock
}

/** Sends by the guarded fetch: for upstreams over TLS, which connections of our own do not speak. */
export function createEgressSender({ egress, url, headers, bounds, clock }: EgressSenderOptions): Sender {
  /** Each with when it counts as slow. */
  const underWay = new Map<Exchange, number>()
  const closing = new AbortController()

  async function exchangeOverEgress(exchange: Exchange): Promise<void> {
    const leftMs = Math.min(bounds.firstByteMs, exchange.deadlineAt - clock.monotonic())
    const answer = await egress.request({
      url,
      headers,
      method: 'POST',
      body: exchange.body,
      timeoutMs: Math.max(1, leftMs),
      maxBytes: bounds.answerBytes,
      signal: closing.signal,
      takesRedirects: true,
    })
    underWay.delete(exchange)
    exchange.answered(answer)
  }

  return {
    send(exchange) {
      if (closing.signal.aborted) return exchange.failed('stopped')
      if (underWay.size >= bounds.connections) return exchange.failed('busy')
      underWay.set(exchange, exchange.slowAt)
      exchangeOverEgress(exchange).catch((error: unknown) => {
        underWay.delete(exchange)
        exchange.failed(failureOf(error))
      })
    },
    sweep(now) {
      for (const [exchange, slowAt] of underWay) {
        if (now >= slowAt) underWay.set(exchange, exchange.slow(now))
      }
    },
    get inFlight() {
      return underWay.size
    },
    close: () => closing.abort(),
  }
}

function failureOf(error: unknown): SendFailure {
  if (!(error instanceof EgressError)) throw error
  switch (error.code) {
    case 'ADDRESS':
    case 'DNS':
    case 'DNS_TIMEOUT':
    case 'SCHEME':
    case 'USERINFO':
    case 'PORT':
    case 'URL':
      return 'refused-address'
    case 'CONNECT':
      // A connection that broke later has this code, too: the call may have been seen.
      return error.reason === 'ECONNREFUSED' ? 'connect' : 'closed'
    case 'TLS':
      return 'connect'
    case 'TIMEOUT':
      return 'timeout'
    case 'TOO_LARGE':
      return 'too-large'
    case 'ABORTED':
      return 'stopped'
    case 'PROTOCOL':
    case 'REDIRECT':
      return 'malformed'
  }
}
