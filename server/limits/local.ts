import type { Limit } from '../../shared/limits.ts'
import type { Clock } from '../platform/clock.ts'
import type { Admission, Admitted, LimitedCall, LimitsUse } from './admission.ts'
import { limitsOf } from './admission.ts'
import { admit, type Demand, requireWhole } from './admit.ts'
import { createKeyWindows, type KeyWindows, sweepEveryMs } from './key-windows.ts'
import type { LaneStore } from './memory-lanes.ts'
import { giveBack } from './window/window.ts'

export interface LocalLimitsOptions {
  readonly clock: Clock
  readonly lanes: LaneStore
  /** Where the clock of earlier processes had got to, in microseconds: lanes that outlive a process go on from there. */
  readonly originMicros: number
}

/** The limits of an installation of one process. */
export interface LocalLimits {
  admit(call: LimitedCall): Admission
  peek(keyId: string, rate: Limit | null, credits: Limit | null): LimitsUse
}

export function createLocalLimits({ clock, lanes, originMicros }: LocalLimitsOptions): LocalLimits {
  const windows = createKeyWindows(lanes)
  // From 1: in a window a stamp of 0 is a unit that was never taken.
  const instantAt = (monotonicMs: number): number => originMicros + 1 + Math.floor(monotonicMs * 1_000)

  function admitCall(call: LimitedCall): Admission {
    const admittedAt = clock.monotonic()
    const now = instantAt(admittedAt)
    const demands = demandsOf(call, windows, now)
    if (demands === null) return { kind: 'unavailable', retryAfterMs: sweepEveryMs }
    const decision = admit(demands, now)
    if (decision.kind !== 'admitted') return decision
    const { quotas, takenAt } = decision
    return { kind: 'admitted', quotas, admittedAt, giveBack: giveBackOf(call, demands, takenAt) }
  }

  function giveBackOf(
    { keyId }: LimitedCall,
    demands: readonly Demand[],
    takenAt: readonly number[],
  ): Admitted['giveBack'] {
    const index = demands.findIndex(({ name }) => name === 'credits')
    let left = demands[index]?.cost ?? 0
    return (credits) => {
      requireWhole(credits)
      const demand = demands[index]
      const returned = Math.min(credits, left)
      if (demand === undefined || !windows.isCurrent(keyId, 'credits', demand.window)) return
      left -= returned
      giveBack(demand.window, returned, takenAt[index] ?? 0, instantAt(clock.monotonic()))
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

/** Null: no memory for the window of a new key. */
function demandsOf(call: LimitedCall, windows: KeyWindows, now: number): Demand[] | null {
  const demands: Demand[] = []
  for (const { name, limit, cost } of limitsOf(call)) {
    const window = windows.find(call.keyId, name, limit, now)
    if (window === null) return null
    demands.push({ name, window, cost })
  }
  return demands
}
