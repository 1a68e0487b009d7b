import type { Decision } from '../../shared/health.ts'
import type { ServiceHistory } from '../../shared/health-details.ts'

/** A decision from one instant to another, epoch ms. */
export interface Stretch {
  readonly from: number
  readonly to: number
  /** Null before the first decision, when nobody watched the service: that is no UNKNOWN. */
  readonly decision: Decision | null
  readonly reason: string
}

type Past = Pick<ServiceHistory, 'from' | 'to' | 'transitions'>

/** The most transitions that an answer lists. */
export const maxListed = 1_000

/** What a service was, without gaps, from the beginning of the range to its end. */
export function stretchesOf({ from, to, transitions }: Past): Stretch[] {
  const [first] = transitions
  if (first === undefined) return [stretch(from, to, null, notWatched)]
  // Of a list that is cut, the first entry is not the first transition: the service was something before it.
  const before =
    transitions.length < maxListed
      ? stretch(from, first.at, null, notWatched)
      : stretch(from, first.at, first.from, '')
  const opening = first.at > from ? [before] : []
  const held = transitions.map((transition, index) =>
    stretch(
      Math.max(from, transition.at),
      transitions[index + 1]?.at ?? to,
      transition.to,
      transition.reason,
    ),
  )
  return [...opening, ...held].filter((part) => part.to > part.from)
}

const notWatched = 'no verifier had reported on it yet'

const stretch = (from: number, to: number, decision: Decision | null, reason: string): Stretch => ({
  from: from * 1_000,
  to: to * 1_000,
  decision,
  reason,
})

/** One piece of a history bar: milliseconds in each decision. */
export interface Cell {
  readonly from: number
  readonly to: number
  readonly byDecision: Readonly<Record<Decision, number>>
  readonly notWatchedMs: number
}

/** Divides a range into cells of the same length. */
export function cellsOf(stretches: readonly Stretch[], count: number): Cell[] {
  const [from, to] = [stretches[0]?.from ?? 0, stretches.at(-1)?.to ?? 0]
  const length = (to - from) / count
  let next = 0
  return Array.from({ length: count }, (_, index) => {
    const cell = { from: from + index * length, to: from + (index + 1) * length }
    const byDecision = { UNKNOWN: 0, UP: 0, DOWN: 0, LATENCY: 0 }
    let notWatchedMs = 0
    while (next < stretches.length) {
      const part = stretches[next]
      if (part === undefined || part.from >= cell.to) break
      const ms = Math.max(0, Math.min(part.to, cell.to) - Math.max(part.from, cell.from))
      if (part.decision === null) notWatchedMs += ms
      else byDecision[part.decision] += ms
      if (part.to > cell.to) break // it goes on in the next cell
      next += 1
    }
    return { ...cell, byDecision, notWatchedMs }
  })
}
