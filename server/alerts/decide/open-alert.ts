import type { Acknowledged, HeldBack } from '../../../shared/alerts.ts'
import type { AlertIdentity } from '../alert-event.ts'
import type { RuleFinding } from './rule-finding.ts'

/** An alert that holds, as it is stored (plain JSON). Instants are epoch ms. */
export interface OpenAlert {
  readonly id: string
  readonly rule: string
  readonly finding: RuleFinding
  /**
   * `pending`: it has to last longer, and is not stored; `firing`; `covered`: that of a cause stands for it; `ended`: it waits
   * for nothing any more.
   */
  readonly phase: 'pending' | 'firing' | 'covered'
  /** The key of the alert of its cause, while it is covered. */
  readonly coveredBy: string | null
  /** Of the alert of a cause: since when the cause itself is over; null while it lasts, and for others. */
  readonly causeOverAt: number | null
  /** How many alerts it stands for; 0 for alerts that are not of a cause. */
  readonly affected: number
  readonly firedAt: number
  /** Where it was told, and when last. */
  readonly toldTo: readonly string[]
  readonly toldAt: number | null
  /** What was told last, so that a changed decision is told anew where any change is asked for. */
  readonly toldDecision: string | null
  /** What each channel was told last, and when. */
  readonly toldAs: Readonly<Record<string, AlertIdentity & { readonly at: number }>>
  /** The deliveries that told it first, by channel. */
  readonly incidents: Readonly<Record<string, string>>
  readonly heldBack: HeldBack | null
  readonly acknowledged: Acknowledged | null
}

/** Tells the alerts of a rule apart, and those of rules. */
export const keyOf = (rule: string, { kind, id }: RuleFinding['subject']): string => `${rule}\n${kind}\n${id}`

export const newAlert = (id: string, rule: string, finding: RuleFinding, now: number): OpenAlert => ({
  id,
  rule,
  finding,
  phase: 'pending',
  coveredBy: null,
  causeOverAt: null,
  affected: 0,
  firedAt: now,
  toldTo: [],
  toldAt: null,
  toldDecision: null,
  toldAs: {},
  incidents: {},
  heldBack: null,
  acknowledged: null,
})
