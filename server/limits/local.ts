import type { Limit } from '../../shared/limits.ts'
import type { Clock } from '../platform/clock.ts'
import type { LimitDecision, Admitted, LimitedCall, LimitsUse } from './limit-decision.ts'
import { admit, type Demand, requireWhole } from './admit.ts'
import { createKeyWindows, type KeyWindows, sweepEveryMs } from './key-windows.ts'
import type { WindowStorage } from './window/window-storage.ts'
import { giveBack } from './window/window.ts'

export interface LocalLimitsOptions {
  readonly clock: Clock
  readonly storage: WindowStorage
}

/** The limits of an installation of one process. */
export interface LocalLimits {
  admit(call: LimitedCall): LimitDecision
  peek(keyId: string, rate: Limit | null, credits: Limit | null): LimitsUse
}

export function createLocalLimits({ clock, storage }: LocalLimitsOptions): LocalLimits {
  const windows = createKeyWindows(storage)
  // From 1: in a window a stamp of 0 is a unit that was never taken.
  const instantAt = (monotonicMs: number): number =>
    storage.originMicros + 1 + Math.floor(monotonicMs * 1_000)

  function admitCall(call: LimitedCall): LimitDecision {
    const admittedAt = clock.monotonic()
    const now = instantAt(admittedAt)
    const demands = demandsOf(call, windows, now)
    if (demands === null) return { kind: 'unavailable', retryAfterMs: sweepEveryMs }
    const decision = admit(demands, now)
    if (decision.kind !== 'admitted') return decision
    const { quotas, takenAt } = decision
    return new LocalAdmitted(quotas, admittedAt, call.keyId, demands, takenAt)
  }

  /** A class instead of closures, which would be created for each call. */
  class LocalAdmitted implements Admitted {
    readonly kind = 'admitted'
    readonly quotas: Admitted['quotas']
    readonly admittedAt: number
    readonly #keyId: string
    readonly #demands: readonly Demand[]
    readonly #takenAt: readonly number[]
    #returned = 0

    constructor(
      quotas: Admitted['quotas'],
      admittedAt: number,
      keyId: string,
      demands: readonly Demand[],
      takenAt: readonly number[],
    ) {
      this.quotas = quotas
      this.admittedAt = admittedAt
      this.#keyId = keyId
      this.#demands = demands
      this.#takenAt = takenAt
    }

    giveBack(credits: number): void {
      requireWhole(credits)
      const index = this.#demands.findIndex(({ name }) => name === 'credits')
      const demand = this.#demands[index]
      if (demand === undefined || !windows.isCurrent(this.#keyId, 'credits', demand.window)) return
      const returned = Math.min(credits, demand.cost - this.#returned)
      this.#returned += returned
      giveBack(demand.window, returned, this.#takenAt[index] ?? 0, instantAt(clock.monotonic()))
    }
  }

  function peek(keyId: string, rate: Limit | null, credits: Limit | null): LimitsUse {
    const now = instantAt(clock.monotonic())
    return {
      rateUsed: rate === null ? null : windows.usedIn(keyId, 'rate', rate, now),
      creditsUsed: credits === null ? null : windows.usedIn(keyId, 'credits', credits, now),
    }
  }

  return { admit: admitCall, peek }
}

/** Returns null when there is no storage for the window of a new key. */
function demandsOf(call: LimitedCall, windows: KeyWindows, now: number): Demand[] | null {
  const demands: Demand[] = []
  const { keyId, rate, credits, calls, cost } = call
  if (rate !== null) {
    const window = windows.find(keyId, 'rate', rate, now)
    if (window === null) return null
    demands.push({ name: 'rate', window, cost: calls })
  }
  if (credits !== null) {
    const window = windows.find(keyId, 'credits', credits, now)
    if (window === null) return null
    demands.push({ name: 'credits', window, cost })
  }
  return demands
}
