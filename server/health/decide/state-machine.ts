import type { Decision, Policy } from '../../../shared/health.ts'

/** Every decision except UNKNOWN, milder ones first. */
export type KnownDecision = Exclude<Decision, 'UNKNOWN'>

const severity: Readonly<Record<KnownDecision, number>> = { UP: 0, LATENCY: 1, DOWN: 2 }

/**
 * Since when (epoch ms) the raw signal has been at least or at most so bad without a break; null while it is not.
 * They describe the raw signal alone and therefore survive transitions of what is published.
 */
export interface Timers {
  readonly atLeastLatency: number | null
  readonly atLeastDown: number | null
  readonly atMostUp: number | null
  readonly atMostLatency: number | null
}

/** The published decision of a service, with what the next step needs. It is plain JSON, because it survives restarts. */
export interface HealthState {
  readonly published: Decision
  /** Epoch ms since when `published` is the decision. */
  readonly since: number
  readonly timers: Timers
  /** Instants (epoch ms) at which the published decision got worse, oldest first. */
  readonly worsenings: readonly number[]
}

const noTimers: Timers = { atLeastLatency: null, atLeastDown: null, atMostUp: null, atMostLatency: null }
const maxWorsenings = 16

export function initial(now: number): HealthState {
  return { published: 'UNKNOWN', since: now, timers: noTimers, worsenings: [] }
}

/** Returns how often the published decision got worse within `policy.flapWindowMs`. */
export function recentWorsenings(state: HealthState, now: number, policy: Policy): number {
  let count = 0
  for (const at of state.worsenings) if (now - at <= policy.flapWindowMs) count++
  return count
}

/** Returns how long (ms) a better raw signal must last before it is published: doubled for each worsening after the first. */
export function upFor(state: HealthState, now: number, policy: Policy): number {
  const doublings = Math.max(0, recentWorsenings(state, now, policy) - 1)
  return Math.min(policy.maxUpForMs, policy.upForMs * 2 ** doublings)
}

/** Returns the state after the raw signal `raw` at `now`; the same object where nothing changes. */
export function step(previous: HealthState, raw: Decision, now: number, policy: Policy): HealthState {
  if (raw === 'UNKNOWN') return becomeUnknown(previous, now)
  const timers = advance(previous.timers, severity[raw], now)
  const state = timers === previous.timers ? previous : { ...previous, timers }
  if (state.published === 'UNKNOWN') return transition(state, raw, now, policy)

  const next = due(state, state.published, now, policy)
  return next === null ? state : transition(state, next, now, policy)
}

/** Returns the state without a quorum. That is not a worsening: the service may be as healthy as before. */
function becomeUnknown(previous: HealthState, now: number): HealthState {
  if (previous.published === 'UNKNOWN') return previous
  return { ...initial(now), worsenings: previous.worsenings }
}

function advance(timers: Timers, level: number, now: number): Timers {
  const advanced: Timers = {
    atLeastLatency: level >= severity.LATENCY ? (timers.atLeastLatency ?? now) : null,
    atLeastDown: level >= severity.DOWN ? (timers.atLeastDown ?? now) : null,
    atMostUp: level <= severity.UP ? (timers.atMostUp ?? now) : null,
    atMostLatency: level <= severity.LATENCY ? (timers.atMostLatency ?? now) : null,
  }
  const isSame =
    advanced.atLeastLatency === timers.atLeastLatency &&
    advanced.atLeastDown === timers.atLeastDown &&
    advanced.atMostUp === timers.atMostUp &&
    advanced.atMostLatency === timers.atMostLatency
  return isSame ? timers : advanced
}

/** Returns the decision whose raw signal has lasted long enough, worse ones first. */
function due(
  state: HealthState,
  published: KnownDecision,
  now: number,
  policy: Policy,
): KnownDecision | null {
  const { timers } = state
  const held = (since: number | null, holdMs: number): boolean => since !== null && now - since >= holdMs
  const current = severity[published]
  if (current < severity.DOWN && held(timers.atLeastDown, policy.downForMs)) return 'DOWN'
  if (current < severity.LATENCY && held(timers.atLeastLatency, policy.latencyForMs)) return 'LATENCY'
  if (current === severity.UP) return null

  const holdMs = upFor(state, now, policy)
  if (held(timers.atMostUp, holdMs)) return 'UP'
  if (current > severity.LATENCY && held(timers.atMostLatency, holdMs)) return 'LATENCY'
  return null
}

function transition(state: HealthState, to: KnownDecision, now: number, policy: Policy): HealthState {
  const isWorsening = state.published !== 'UNKNOWN' && severity[to] > severity[state.published]
  const all = isWorsening ? [...state.worsenings, now] : state.worsenings
  const recent = all.filter((at) => now - at <= policy.flapWindowMs)
  return { ...state, published: to, since: now, worsenings: recent.slice(-maxWorsenings) }
}

const flappingWorsenings = 3

/** Returns the advisory that the service got worse three times or more within `policy.flapWindowMs`. */
export function isFlapping(state: HealthState, now: number, policy: Policy): boolean {
  return recentWorsenings(state, now, policy) >= flappingWorsenings
}
