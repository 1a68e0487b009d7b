import type { AlertView } from '../../shared/alerts.ts'
import type { Decision } from '../../shared/health.ts'
import type { SilenceForm } from '../../shared/alert-times.ts'
import type { FormReading } from '../forms/field-errors.ts'
import { maintenanceEnds, readEnd } from '../health/maintenance.ts'
import type { MaintenanceEnd } from '../health/maintenance.ts'
import { selectorDraftOf, selectorErrors, selectorOf } from './selector-draft.ts'
import type { SelectorDraft } from './selector-draft.ts'

/** A silence as it is chosen. */
export interface SilenceDraft {
  /** The name of a rule; empty: of all. */
  rule: string
  services: SelectorDraft
  decisions: readonly Decision[]
  end: MaintenanceEnd
  /** What a `datetime-local` input holds. */
  until: string
  reason: string
}

/** A silence always ends by itself. */
export const silenceEnds = maintenanceEnds.filter(({ value }) => value !== 'open')

/** What the silence is about when the form opens. */
export type SilenceSubject =
  | { readonly kind: 'alert'; readonly alert: Pick<AlertView, 'rule' | 'subject'> }
  | {
      readonly kind: 'services'
      readonly services: readonly { readonly id: string; readonly name: string }[]
    }

const newSilenceDraft = (): SilenceDraft => ({
  rule: '',
  services: selectorDraftOf(undefined),
  decisions: [],
  end: '1h',
  until: '',
  reason: '',
})

/** For an alert that is firing: about its service or chain in all rules, about anything else in its own rule. */
export function silenceDraftFor(about: SilenceSubject | null): SilenceDraft {
  const draft = newSilenceDraft()
  if (about === null) return draft
  if (about.kind === 'services')
    return { ...draft, services: selectorDraftOf({ id: about.services.map(({ id }) => id) }) }
  const { rule, subject } = about.alert
  if (subject.kind === 'service') return { ...draft, services: selectorDraftOf({ id: subject.id }) }
  if (subject.kind === 'chain') return { ...draft, services: selectorDraftOf({ chain: subject.id }) }
  return { ...draft, rule }
}

/** `now` in epoch ms. */
export function readSilence(draft: SilenceDraft, now: number): FormReading<SilenceForm> {
  const end = readEnd(draft.end, draft.until, now)
  const errors = { ...(end.kind === 'wrong' && { until: end.error }), ...selectorErrors(draft.services) }
  if (end.kind === 'wrong' || Object.keys(errors).length > 0) return { kind: 'wrong', errors }
  const services = selectorOf(draft.services)
  return {
    kind: 'value',
    value: {
      ...(draft.rule !== '' && { rule: draft.rule }),
      ...(services !== undefined && { services }),
      ...(draft.decisions.length > 0 && { decisions: [...draft.decisions] }),
      until: end.until ?? now,
      reason: draft.reason,
    },
  }
}
