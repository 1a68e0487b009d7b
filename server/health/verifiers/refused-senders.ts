import type { AddressLimit } from '../../platform/http/address-limit.ts'
import type { Clock } from '../../platform/clock.ts'
import { Fault, fault } from '../../platform/fault.ts'
import type { Log } from '../../platform/log.ts'

/**
 * Limits how often an address may send what its signature or its token does not cover. Verifiers share addresses, behind
 * NAT or a reverse proxy, with each other and with strangers. A request in the name of an active verifier is therefore
 * never refused for its address: its signature is checked, which takes about 50 µs, and only a wrong one is counted.
 */
export interface RefusedSenders {
  /**
   * Does work that may be refused. Fault: `rate_limited`, without doing it, for a sender that names no active verifier
   * and has an address from which too much was refused.
   */
  hold<T>(sender: Sender, work: () => T | Promise<T>): Promise<T>
}

export interface Sender {
  readonly address: string | null
  /** Whether the request names a verifier that may report. */
  readonly isActiveVerifier: boolean
}

interface RefusedSendersOptions {
  readonly limit: AddressLimit
  readonly clock: Pick<Clock, 'monotonic'>
  readonly log: Pick<Log, 'warn'>
}

const countedRefusals: ReadonlySet<string> = new Set(['unauthorized', 'verifier_unknown', 'verifier_revoked'])
/** Shortest time (ms) between two warnings. */
const warningGapMs = 60_000

export function createRefusedSenders({ limit, clock, log }: RefusedSendersOptions): RefusedSenders {
  let nextWarningAt = Number.NEGATIVE_INFINITY
  let refusedSinceWarning = 0

  function warn(address: string | null): void {
    refusedSinceWarning += 1
    if (clock.monotonic() < nextWarningAt) return
    nextWarningAt = clock.monotonic() + warningGapMs
    log.warn(
      'requests of verifiers are refused, because too many from their address had no valid signature',
      {
        address: address ?? 'unknown',
        refused: refusedSinceWarning,
      },
    )
    refusedSinceWarning = 0
  }

  return {
    async hold({ address, isActiveVerifier }, work) {
      const retryAfterSec = limit.waitSec(address)
      if (retryAfterSec > 0) warn(address)
      if (retryAfterSec > 0 && !isActiveVerifier) {
        throw fault('rate_limited', 'Too many refused attempts from this address; wait as Retry-After says', {
          retryAfterSec,
        })
      }
      try {
        return await work()
      } catch (error) {
        if (error instanceof Fault && countedRefusals.has(error.code)) limit.count(address)
        throw error
      }
    },
  }
}
