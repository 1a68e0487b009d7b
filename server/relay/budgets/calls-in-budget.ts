import type { Clock } from '../../platform/clock.ts'
import type { JudgedCall } from '../forward/attempt-class.ts'
import type { UpstreamClient } from '../upstreams/upstream-client.ts'

/** Returns the upstreams whose budgets do not hold these calls, as bits. `now`: ms since the epoch. */
export function spentFor(
  clients: readonly UpstreamClient[],
  calls: readonly JudgedCall[],
  now: number,
): number {
  const credits = creditsIn(calls)
  let spent = 0
  for (const { index, budget } of clients)
    if (budget !== null && budget.waitMs(calls.length, credits, now) > 0) spent |= 1 << index
  return spent
}

/** Takes what an attempt costs from the budget of its upstream. */
export const spendCalls = ({ budget }: UpstreamClient, calls: readonly JudgedCall[], now: number): void =>
  budget?.spend(calls.length, creditsIn(calls), now)

/** Returns for how many ms an upstream is left alone, because of a limit of its own or its budget; 0: it is not. */
export const waitOf = ({ limitPause, budget }: UpstreamClient, clock: Clock): number =>
  Math.max(limitPause.remainingMs(clock.monotonic()), budget?.waitMs(1, 1, clock.now()) ?? 0)

function creditsIn(calls: readonly JudgedCall[]): number {
  let credits = 0
  for (const call of calls) credits += call.credits ?? 0
  return credits
}
