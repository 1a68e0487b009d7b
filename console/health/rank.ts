import type { Decision } from '../../shared/health.ts'
import type { ServiceSummary } from '../../shared/health-services.ts'
import { worstFirst } from './decision.ts'

type Ranked = Pick<ServiceSummary, 'id' | 'name' | 'decision' | 'decisionSince'>

const severity = new Map(worstFirst.map((decision, place) => [decision, place]))
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** For people: without regard to case, `Node 2` before `Node 10`. Slow: for a list that is read, not for each change. */
export const byName = (one: Ranked, other: Ranked): number =>
  collator.compare(one.name, other.name) || collator.compare(one.id, other.id)

/** The worst first; of the same decision the newest first, because that is news. Sorting keeps the rest as it was. */
export function byUrgency(one: Ranked, other: Ranked): number {
  const place = ({ decision }: Ranked): number => severity.get(decision) ?? 0
  return place(one) - place(other) || (other.decisionSince ?? 0) - (one.decisionSince ?? 0)
}

/**
 * The wanted order, or, while it is held, the order that was shown: then what is new comes last, and nothing moves
 * under the pointer.
 */
export function steadyOrder<Row extends { readonly id: string }>(
  shown: readonly string[],
  wanted: readonly Row[],
  isHeld: boolean,
): readonly Row[] {
  if (!isHeld || shown.length === 0) return wanted
  const byId = new Map(wanted.map((row) => [row.id, row]))
  const kept = shown.flatMap((id) => byId.get(id) ?? [])
  const known = new Set(shown)
  return [...kept, ...wanted.filter(({ id }) => !known.has(id))]
}

export type Counts = Readonly<Record<Decision, number>>

/** How many there are of each decision. */
export function countByDecision(rows: readonly Pick<Ranked, 'decision'>[]): Counts {
  const counts = { UNKNOWN: 0, UP: 0, DOWN: 0, LATENCY: 0 }
  for (const { decision } of rows) counts[decision] += 1
  return counts
}
