import type { Clock } from '../../platform/clock.ts'
import type { JudgedCall } from '../forward/attempt-class.ts'
import type { UpstreamClient } from '../upstreams/upstream-client.ts'

/** The upstreams whose budgets do not hold some calls, as bits. */
export interface BeyondBudgets {
  /** Those that hold none of them. */
  readonly spent: number
  /** Those that hold some of them, but not all at once. */
  readonly holdingLess: number
}

export const withinBudgets: BeyondBudgets = { spent: 0, holdingLess: 0 }

export function beyondBudgets(
  clients: readonly UpstreamClient[],
  calls: readonly JudgedCall[],
  clock: Clock,
): BeyondBudgets {
  const now = clock.now()
  const credits = creditsIn(calls)
  const cheapest = cheapestOf(calls)
  let spent = 0
  let holdingLess = 0
  for (const { index, budget } of clients) {
    if (budget === null || budget.waitMs(calls.length, credits, now) === 0) continue
    if (calls.length > 1 && budget.roomFor(cheapest, now) > 0) holdingLess |= 1 << index
    else spent |= 1 << index
  }
  return { spent, holdingLess }
}

/** Returns how many calls of a batch the upstreams take at once that do not take it whole. */
export function longestPart(
  clients: readonly UpstreamClient[],
  calls: readonly JudgedCall[],
  clock: Clock,
): number {
  const dearest = Math.max(...calls.map(creditsOf))
  const bounds = clients.map(({ batchBound, budget }) =>
    Math.min(
      batchBound.most(clock.monotonic()),
      budget?.roomFor(dearest, clock.now()) ?? Number.POSITIVE_INFINITY,
    ),
  )
  return Math.max(1, ...bounds.filter((most) => most < calls.length))
}

/** Takes what an attempt costs from the budget of its upstream. */
export const spendCalls = ({ budget }: UpstreamClient, calls: readonly JudgedCall[], now: number): void =>
  budget?.spend(calls.length, creditsIn(calls), now)

/**
 * Returns for how many ms an upstream gets none of some calls, because of a limit of its own or its budget; 0: it may get
 * one now.
 */
export const waitOf = (
  { limitPause, budget }: UpstreamClient,
  calls: readonly JudgedCall[],
  clock: Clock,
): number =>
  Math.max(limitPause.remainingMs(clock.monotonic()), budget?.waitMs(1, cheapestOf(calls), clock.now()) ?? 0)

const creditsOf = ({ credits = 0 }: JudgedCall): number => credits

const cheapestOf = (calls: readonly JudgedCall[]): number => Math.min(...calls.map(creditsOf))

function creditsIn(calls: readonly JudgedCall[]): number {
  let credits = 0
  for (const call of calls) credits += creditsOf(call)
  return credits
}
