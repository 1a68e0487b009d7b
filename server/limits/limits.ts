/**
 * The limits of query keys: a rate limit (requests) and a credits limit, of the key itself and, by its account's plan, of each
 * key and of all keys of the account together. A call is admitted by all of them in one step, or by none. No interval of a limit's period ever holds more
 * than the limit, wherever the interval begins, with one process or many, across restarts and losses of the store.
 *
 * A decision takes these steps:
 * 1. The relay calls `admit` with the units and credits of all calls of a request (`limit-decision.ts`).
 * 2. With one process, `local.ts` finds the key's windows, and `admit.ts` checks both and takes from both, or from
 *    none. A window (`window/`) is an exact log up to 1,024 units and a ring of sub-buckets above. Its
 *    cells lie in a mapped file (`durable/`), so that counts outlive the process.
 * 3. With several processes, `shared-store/shared-limits.ts` spends leases, units that the shared store granted to this
 *    process for a moment. When they run out, `shared-store/lease-requests.ts` requests more for all queued calls of the key.
 * 4. `headers.ts` turns the decision into the `RateLimit` headers.
 *
 * Failures: when storage is full or the store does not answer, the decision is `unavailable`, which refuses rather than
 * opens a limit (or takes from this process's share, if the operator chose so). After a loss of the store's data, nodes
 * post their grants again before anything is granted; `shared-store/membership.ts` proves that this breaks no limit.
 *
 * Known limitations: credits of a call that nobody answered are returned, units of the rate limit are not; a lease that
 * is not spent counts as used; without a store, a limit that was changed while the process was down begins anew; when all
 * processes die together with the store's data, nothing remembers their grants; without a store, counts take up to 512 MB,
 * which is 64,000 limits of 513 to 1,024 units in use within their period, and further keys are told to try again each second.
 */
import type { Limit } from '../../shared/limits.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { LimitDecision, LimitedCall, LimitsUse } from './limit-decision.ts'
import { createLocalLimits } from './local.ts'
import type { WindowStorage } from './window/window-storage.ts'
import type { StorePlace } from '../platform/shared-store/store-connection.ts'
import type { StoreLostMode } from './shared-store/local-answers.ts'
import type { StoreFailure } from './shared-store/membership.ts'
import { createSharedLimits } from './shared-store/shared-limits.ts'

export type {
  Admitted,
  FurtherLimits,
  LimitDecision,
  LimitedCall,
  LimitsUnavailable,
  LimitsUse,
} from './limit-decision.ts'

/**
 * The rate limit and the credits limit of query keys: never more than a limit in any interval of its period, with one
 * process or many.
 */
export interface Limits {
  /**
   * Takes the units of all calls of a request, or none. Synchronous in an installation of one process and while there
   * are leases; otherwise it takes up to half a second.
   */
  admit(call: LimitedCall): LimitDecision | Promise<LimitDecision>
  /**
   * Returns what a key has used of its limits, within a quarter of a second; null when the shared store does not
   * answer. Takes nothing.
   */
  peek(keyId: string, rate: Limit | null, credits: Limit | null): Promise<LimitsUse | null>
  /** Returns how many processes share the store, this one included; null while the store has not said it. */
  processes(): number | null
  /** Returns false while the shared store is away, or has just lost its counts, and most calls get `unavailable`. */
  isStoreReady(): boolean
  /** Why the shared store counts nothing, when that is more than an outage; null otherwise. */
  storeFailure(): StoreFailure | null
  /** What is wrong with the storage of the counts although it answers, such as that it evicts or is full; else null. */
  storeWarning(): string | null
  close(): void
}

/** Where units are counted: in this process alone, or in a store that all processes share. */
type Counting =
  | { readonly kind: 'alone'; readonly storage: WindowStorage }
  | { readonly kind: 'shared'; readonly store: StorePlace; readonly whenStoreLost: StoreLostMode }

interface LimitsOptions {
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly counting: Counting
}

/** Bounds the memory for shared keys, of which each takes about 1.5 kB. */
const maxSharedKeys = 100_000

const fullWarning = 'it is full: further keys and accounts get 503 until counts of others end'

export function createLimits({ clock, log, metrics, counting }: LimitsOptions): Limits {
  const counted = createCounting(counting, clock, log)
  const { note } = createLimitsMetrics(metrics, counting.kind, counted.isStoreReady)
  return {
    ...counted,
    admit(call) {
      const decision = counted.admit(call)
      return decision instanceof Promise ? decision.then(note) : note(decision)
    },
  }
}

function createCounting(counting: Counting, clock: Clock, log: Log): Limits {
  if (counting.kind === 'shared') {
    const { store, whenStoreLost } = counting
    return createSharedLimits({ store, whenStoreLost, clock, log, maxKeys: maxSharedKeys })
  }
  const onFull = (): void => log.error(`the store of the limits: ${fullWarning}`)
  const { admit, peek, isFull } = createLocalLimits({ clock, storage: counting.storage, onFull })
  return {
    admit,
    peek: async (...limits) => peek(...limits),
    processes: () => 1,
    isStoreReady: () => true,
    storeFailure: () => null,
    storeWarning: () => (isFull() ? fullWarning : null),
    close: () => undefined,
  }
}

/**
 * Counts decisions, and reports whether the shared store is away. `note` uses plain numbers and returns its argument,
 * because every call passes through it.
 */
function createLimitsMetrics(metrics: Metrics, backend: 'alone' | 'shared', isStoreReady: () => boolean) {
  const counts: Record<LimitDecision['kind'], number> = {
    admitted: 0,
    refused: 0,
    oversized: 0,
    unavailable: 0,
  }
  metrics.observedCounter(
    'limiter_decisions_total',
    'Requests with a query key, by what its limits said',
    ['outcome', 'backend'],
    () => Object.entries(counts).map(([outcome, count]) => ({ labels: { outcome, backend }, count })),
  )
  metrics.observedGauge('limiter_degraded', '1 while the shared store of the limits is away', () =>
    isStoreReady() ? 0 : 1,
  )
  return {
    note(decision: LimitDecision): LimitDecision {
      counts[decision.kind]++
      return decision
    },
  }
}
