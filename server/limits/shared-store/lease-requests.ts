import type { Clock } from '../../platform/clock.ts'
import { assertNever } from '../../platform/fault.ts'
import { StoreLost } from '../../platform/shared-store/store-failure.ts'
import { microsToMs } from '../admit.ts'
import type { LocalAnswers } from './local-answers.ts'
import { addGrant, available, type LeasedLimit, leaseSize } from './lease.ts'
import type { Closure, LeasedKey, QueuedCall } from './leased-keys.ts'
import type { Membership } from './membership.ts'
import { noteRefusals } from './spending.ts'
import type { LeaseResponse, LimitStore, LeaseRequest } from './store-calls.ts'

interface LeaseRequesterOptions {
  readonly clock: Clock
  readonly calls: LimitStore
  readonly membership: Membership
  readonly localAnswers: LocalAnswers
}

/** The ms after which callers are told to retry while the store does not answer. */
export const retryAfterLossMs = 1_000

/** A call that was queued for so long is answered without the store. */
export const patienceMs = 400

/** The longest time for which a node relies on a closure. */
const askAgainAfterMs = 500

const closureFor = (waitMs: number, now: number): Closure => ({
  until: now + waitMs,
  askAgainAt: now + Math.min(waitMs, askAgainAfterMs),
})

/**
 * Answers the queued calls of a key in order, with as many requests to the store as necessary: one at a time for each
 * key, on behalf of all queued calls. Ends when the queue is empty; never throws.
 */
export function createLeaseRequester({ clock, calls, membership, localAnswers }: LeaseRequesterOptions) {
  async function serve(key: LeasedKey): Promise<void> {
    if (key.isRequesting) return
    key.isRequesting = true
    for (;;) {
      answerFromFront(key)
      const [first] = key.queue
      if (first === undefined) break
      const askedAt = clock.monotonic()
      await askFor(key, first)
      if (clock.monotonic() - askedAt >= patienceMs) waitAnew(key)
    }
    key.isRequesting = false
  }

  /** No request takes so long, unless this process stood still: what it got is over by now, and nobody waited for it. */
  function waitAnew(key: LeasedKey): void {
    for (const call of key.queue) {
      if (!call.waitsAnew) call.giveUpAt = clock.monotonic() + patienceMs
      call.waitsAnew = true
    }
  }

  /** Answers in order, so that an expensive call is not overtaken for ever. */
  function answerFromFront(key: LeasedKey): void {
    const now = clock.monotonic()
    for (;;) {
      const [first] = key.queue
      if (first === undefined) return
      const answer =
        localAnswers.atOnce(first.demands, now) ??
        (now >= first.giveUpAt ? localAnswers.withoutStore(first.demands, now, retryAfterLossMs) : null)
      if (answer === null) return
      key.queue.shift()
      first.resolve(answer)
    }
  }

  async function askFor(key: LeasedKey, first: QueuedCall): Promise<void> {
    const epoch = membership.epoch()
    if (epoch === null)
      return membership.isConfirming() ? membership.askAgain() : giveUpAll(key, retryAfterLossMs)
    const askedAt = clock.monotonic()
    const requests = requestsFor(key, first, askedAt)
    for (const { leased } of requests) leased.requests += 1
    try {
      const answer = await calls.requestLeases(epoch, requests, askedAt)
      await take(key, first, requests, answer, { epoch, askedAt })
    } catch (error) {
      if (!(error instanceof StoreLost)) throw error
      giveUpAll(key, retryAfterLossMs)
    } finally {
      for (const { leased } of requests) leased.requests -= 1
    }
  }

  async function take(
    key: LeasedKey,
    first: QueuedCall,
    requests: readonly LeaseRequest[],
    answer: LeaseResponse,
    { epoch, askedAt }: { epoch: string; askedAt: number },
  ): Promise<void> {
    const now = clock.monotonic()
    switch (answer.kind) {
      case 'granted':
        key.closed = null
        requests.forEach(({ leased }, index) => {
          const grant = answer.grants[index]
          if (grant !== undefined) addGrant(leased, grant, askedAt, now)
        })
        return
      case 'refused':
        noteRefusals(first.demands, answer.refusals, now)
        return
      case 'settling':
        key.closed = closureFor(microsToMs(answer.waitMicros), now)
        giveUpAll(key, microsToMs(answer.waitMicros))
        return
      case 'behind':
        for (const { leased } of requests) await calls.post(epoch, leased, now)
        return
      case 'epoch':
        membership.rejoin()
        return
      default:
        assertNever(answer)
    }
  }

  function requestsFor(key: LeasedKey, first: QueuedCall, now: number): LeaseRequest[] {
    return first.demands.map(({ leased, cost }) => {
      const waiting = waitingFor(key, leased)
      return {
        leased,
        need: available(leased, now) >= cost ? 0 : cost,
        want: available(leased, now) >= waiting ? 0 : leaseSize(leased, waiting, membership.nodes() ?? 1),
      }
    })
  }

  function giveUpAll(key: LeasedKey, retryAfterMs: number): void {
    const now = clock.monotonic()
    for (const { demands, resolve } of key.queue.splice(0)) {
      resolve(localAnswers.withoutStore(demands, now, retryAfterMs))
    }
  }

  return { serve }
}

/** Returns the units of a limit that all queued calls need together. */
function waitingFor({ queue: waiting }: LeasedKey, leased: LeasedLimit): number {
  let units = 0
  for (const { demands } of waiting) {
    for (const demand of demands) if (demand.leased === leased) units += demand.cost
  }
  return units
}
