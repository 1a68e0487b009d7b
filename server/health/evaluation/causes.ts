import type { Decision, Policy } from '../../../shared/health.ts'
import { type Cause, firstCause, nextCause } from '../decide/cause.ts'
import type { ServiceSnapshot } from '../decide/snapshot.ts'
import type { Report } from '../decide/vote.ts'
import { seenCause } from './evidence.ts'

/** What an evaluation says of a service: the votes that count, and what is published. */
interface Evaluated {
  readonly published: Decision
  readonly snapshot: Pick<ServiceSnapshot, 'raw'>
  readonly reports: readonly Report[]
  readonly policy: Policy
  readonly at: number
}

/** Why each service is LATENCY or DOWN, by slot. */
export interface Causes {
  of(slot: number): Cause | null
  /** Begins with the decision that was just published. */
  begin(slot: number, evaluated: Evaluated): Cause | null
  /** Follows the cause of an unchanged decision. `changedAt` is since when (epoch ms) it is another; null where it is not. */
  follow(
    slot: number,
    evaluated: Evaluated,
  ): { readonly cause: Cause | null; readonly changedAt: number | null }
  restore(slot: number, cause: Cause | null): void
  forget(slot: number): void
  /** Forgets instants that a clock which was set back has not reached yet. */
  timeWentBack(): void
}

export function createCauses(): Causes {
  const causes: (Cause | null | undefined)[] = []
  const set = (slot: number, cause: Cause | null): Cause | null => {
    causes[slot] = cause
    return cause
  }

  return {
    of: (slot) => causes[slot] ?? null,
    begin(slot, { published, reports, policy }) {
      const isTrouble = published === 'LATENCY' || published === 'DOWN'
      return set(slot, isTrouble ? firstCause(seenCause(reports, policy, published)) : null)
    },
    follow(slot, { published, snapshot, reports, policy, at }) {
      const last = causes[slot] ?? null
      if (published !== 'LATENCY' && published !== 'DOWN') return { cause: set(slot, null), changedAt: null }
      // Votes that say something else by now do not explain what is published.
      if (snapshot.raw !== published) return { cause: last, changedAt: null }
      const seen = seenCause(reports, policy, published)
      const cause = set(slot, last === null ? firstCause(seen) : nextCause(last, seen, at))
      const hasChanged = last !== null && cause !== null && cause.changes > last.changes
      return { cause, changedAt: hasChanged ? (last.next?.since ?? at) : null }
    },
    restore: set,
    forget: (slot) => void set(slot, null),
    timeWentBack() {
      for (const [slot, cause] of causes.entries()) if (cause) causes[slot] = { ...cause, next: null }
    },
  }
}
