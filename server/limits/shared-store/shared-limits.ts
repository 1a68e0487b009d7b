import { randomUUID } from 'node:crypto'

import type { Limit, LimitName } from '../../../shared/limits.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { type StorePlace, createStoreConnection } from '../../platform/shared-store/store-connection.ts'
import { StoreLost } from '../../platform/shared-store/store-failure.ts'
import {
  type FurtherLimits,
  type LimitDecision,
  type LimitedCall,
  type LimitedCost,
  type LimitsUse,
  costsOf,
} from '../limit-decision.ts'
import { exceeds, oversized } from '../admit.ts'
import { createLeaseLedger } from './lease-ledger.ts'
import { createLocalAnswers, type StoreLostMode } from './local-answers.ts'
import { createLeaseRequester, patienceMs, retryAfterLossMs } from './lease-requests.ts'
import { createGrantLog } from './grant-log.ts'
import { noteDemand } from './lease.ts'
import { createLeasedKeys, type LeasedKey } from './leased-keys.ts'
import { createMembership, type StoreFailure } from './membership.ts'
import type { LeasedDemand } from './spending.ts'
import { createLimitStore, type NamedLimit } from './store-calls.ts'
import { createLimitKeys } from './store-keys.ts'

export interface SharedLimitsOptions {
  readonly store: StorePlace
  readonly clock: Clock
  readonly log: Log
  readonly whenStoreLost: StoreLostMode
  /** The maximum number of keys used within their periods; further keys get `unavailable`. */
  readonly maxKeys: number
}

/** The limits of an installation of several processes. */
export interface SharedLimits {
  /**
   * Decides at once while there are leases; otherwise within half a second, whatever the store does; twice that in a process
   * that stood still.
   */
  admit(call: LimitedCall): LimitDecision | Promise<LimitDecision>
  /** Returns null when the store does not answer. */
  peek(keyId: string, rate: Limit | null, credits: Limit | null): Promise<LimitsUse | null>
  /** Returns how many processes share the store, this one included; null before its first answer. */
  processes(): number | null
  /** Returns true while the store answers and calls beyond the leases can be admitted. */
  isStoreReady(): boolean
  /** Why the store counts nothing, when that is more than an outage; null otherwise. */
  storeFailure(): StoreFailure | null
  /** What should be set otherwise in the store; null when nothing. */
  storeWarning(): string | null
  close(): void
}

/**
 * A command that takes longer has lost the store; a lease of a limit per second lasts no longer than 17 ms anyway.
 */
const storeDeadlineMs = 250
const noFurther: readonly FurtherLimits[] = []

const isTooLarge = ({ cost, limit }: LimitedCost): boolean => exceeds(cost, limit.units)

/** The number of posts sent at once. */
const postsAtOnce = 200

export function createSharedLimits(options: SharedLimitsOptions): SharedLimits {
  const { store, clock, log, whenStoreLost, maxKeys } = options
  const limitKeys = createLimitKeys(store)
  const nodeId = randomUUID()
  const keys = createLeasedKeys(maxKeys)
  let storeWarning: string | null = null
  const connection = createStoreConnection({
    url: store.url,
    key: limitKeys.epoch,
    deadlineMs: storeDeadlineMs,
    onConnected: (runId) => membership.connected(runId),
    onLost: (failure) => membership.lost(failure),
    onWarning(warning) {
      if (warning !== null && warning !== storeWarning)
        log.warn('the shared store of the limits', { warning })
      storeWarning = warning
    },
  })
  const ledger = createLeaseLedger(connection, limitKeys, clock)
  const calls = createLimitStore(connection, limitKeys, ledger, nodeId)
  const grantLog = createGrantLog(ledger, log)
  const membership = createMembership({ connection, limitKeys, clock, nodeId, log, grantLog, postAll })
  const localAnswers = createLocalAnswers({ mode: whenStoreLost, calls, nodes: membership.nodes })
  const leaseRequester = createLeaseRequester({ clock, calls, membership, localAnswers })

  /** Posts this node's grants first: it knows them more exactly than what others knew about them. */
  async function postAll(epoch: string): Promise<void> {
    const granted = [...keys.all()].flatMap(({ limits }) => limits)
    await inTurns(granted, (leased) => calls.post(epoch, leased, clock.monotonic()))
    await inTurns([...grantLog.entries()], (entry) => ledger.post(epoch, entry, clock.monotonic()))
  }

  function admit(call: LimitedCall): LimitDecision | Promise<LimitDecision> {
    const now = clock.monotonic()
    const { keyId, further = noFurther } = call
    const ofKey = costsOf(keyId, 'key', call, call)
    const ofOthers = further.map((limits) => costsOf(limits.id, limits.scope, limits, call))
    let tooLarge = ofKey.find(isTooLarge)
    for (const costs of ofOthers) tooLarge ??= costs.find(isTooLarge)
    if (tooLarge !== undefined) return oversized(tooLarge, tooLarge.limit.units)
    const key = keys.find(keyId, ofKey, now)
    const demands = key === null ? null : demandsOf(key, ofKey, now)
    if (key === null || demands === null || !ofOthers.every((costs) => addDemands(demands, costs, now)))
      return { kind: 'unavailable', retryAfterMs: retryAfterLossMs }
    // Who waits goes first: otherwise small calls would take every unit that a large one waits for.
    const answer = key.queue.length === 0 ? localAnswers.atOnce(demands, now) : null
    if (answer !== null) return answer
    if (membership.epoch() === null && !membership.isConfirming()) {
      return localAnswers.withoutStore(demands, now, retryAfterLossMs)
    }
    if (key.closed !== null && now < key.closed.askAgainAt) {
      return localAnswers.withoutStore(demands, now, Math.ceil(key.closed.until - now))
    }
    return new Promise((resolve) => {
      key.queue.push({ demands, giveUpAt: now + patienceMs, waitsAnew: false, resolve })
      void leaseRequester.serve(key)
    })
  }

  /** Adds what a call demands of another owner's limits, which several keys may have in common; false: no room for them. */
  function addDemands(demands: LeasedDemand[], costs: readonly LimitedCost[], now: number): boolean {
    const [first] = costs
    if (first === undefined) return true
    const owner = keys.find(first.ownerId, costs, now)
    if (owner === null) return false
    demands.push(...demandsOf(owner, costs, now))
    return true
  }

  async function peek(keyId: string, rate: Limit | null, credits: Limit | null): Promise<LimitsUse | null> {
    if (membership.epoch() === null) return null
    const limits: NamedLimit[] = []
    if (rate !== null) limits.push({ name: 'rate', limit: rate })
    if (credits !== null) limits.push({ name: 'credits', limit: credits })
    if (limits.length === 0) return { rateUsed: null, creditsUsed: null }
    try {
      const used = await calls.peek(keyId, limits)
      const usedOf = (name: LimitName) => used[limits.findIndex((limit) => limit.name === name)] ?? null
      return { rateUsed: usedOf('rate'), creditsUsed: usedOf('credits') }
    } catch (error) {
      if (error instanceof StoreLost) return null
      throw error
    }
  }

  return {
    admit,
    peek,
    processes: membership.nodes,
    isStoreReady: membership.isGranted,
    storeFailure: membership.storeFailure,
    storeWarning: () => storeWarning,
    close() {
      void membership.leave().finally(connection.close)
    },
  }
}

async function inTurns<Item>(items: readonly Item[], post: (item: Item) => Promise<void>): Promise<void> {
  for (let first = 0; first < items.length; first += postsAtOnce) {
    await Promise.all(items.slice(first, first + postsAtOnce).map(post))
  }
}

function demandsOf(key: LeasedKey, costs: readonly { cost: number }[], now: number): LeasedDemand[] {
  return key.limits.map((leased, index) => {
    const cost = costs[index]?.cost ?? 0
    noteDemand(leased, cost, now)
    return { leased, cost }
  })
}
