import type { Limit } from '../../shared/limits.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { LimitDecision, LimitedCall, LimitsUse } from './limit-decision.ts'
import { createLimitsMetrics } from './limits-metrics.ts'
import { createLocalLimits } from './local.ts'
import type { WindowStorage } from './window/window-storage.ts'
import type { StoreLostMode } from './shared-store/local-answers.ts'
import { createSharedLimits } from './shared-store/shared-limits.ts'

export type { WindowStorage } from './window/window-storage.ts'
export type { LimitDecision, LimitedCall, LimitsUse } from './limit-decision.ts'

/**
 * The rate limit and the credits limit of query keys: never more than a limit in any interval of its period, on one
 * process or on many.
 */
export interface Limits {
  /**
   * Takes the units of all calls of a request, or none. At once in an installation of one process and while there are
   * leases; else within half a second.
   */
  admit(call: LimitedCall): LimitDecision | Promise<LimitDecision>
  /** What a key has used of its limits now, within a quarter of a second; null: the shared store does not say. Takes nothing. */
  peek(keyId: string, rate: Limit | null, credits: Limit | null): Promise<LimitsUse | null>
  /** False: the shared store is away, and most calls are answered `unavailable`. */
  isStoreReady(): boolean
  close(): void
}

/** Who counts: this process alone, or all processes of the installation in a store that they share. */
export type Counting =
  | { readonly kind: 'alone'; readonly storage: WindowStorage }
  | { readonly kind: 'shared'; readonly url: string; readonly whenStoreLost: StoreLostMode }

export interface LimitsOptions {
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly counting: Counting
}

/** About 1.5 kB each. */
const maxSharedKeys = 100_000

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
    const { url, whenStoreLost } = counting
    return createSharedLimits({ url, whenStoreLost, clock, log, maxKeys: maxSharedKeys })
  }
  const { admit, peek } = createLocalLimits({ clock, storage: counting.storage })
  return {
    admit,
    peek: async (...limits) => peek(...limits),
    isStoreReady: () => true,
    close: () => undefined,
  }
}
