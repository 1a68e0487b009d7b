import * as z from 'zod/mini'

import { MaintenanceWindow } from '../../shared/alert-times.ts'
import type { MaintenanceView } from '../../shared/alert-times.ts'
import { hourMs } from '../../shared/durations.ts'
import { issueErrors } from '../forms/field-errors.ts'
import type { FieldErrors, FormReading } from '../forms/field-errors.ts'
import { inputTextOf, instantOfInput, readerZone } from '../ui/reader-zone.ts'
import { dailySpanDraftOf, dailySpanOf } from './daily-span.ts'
import type { DailySpanDraft } from './daily-span.ts'
import { selectorDraftOf, selectorErrors, selectorOf } from './selector-draft.ts'
import type { SelectorDraft } from './selector-draft.ts'

/** Planned work as it is typed. */
export interface MaintenanceDraft {
  name: string
  services: SelectorDraft
  reason: string
  isRepeated: boolean
  /** What `datetime-local` inputs hold. */
  from: string
  to: string
  /**
   * Epoch ms, of which `from` and `to` were made: texts have neither seconds nor which of two equal hours they mean,
   * where clocks are set back.
   */
  readonly madeOf: { readonly from: number; readonly to: number }
  every: DailySpanDraft
}

export const maintenanceFields = ['name', 'reason', 'from', 'to', 'every', 'services'] as const

/** Work that begins with the next full hour. `now` in epoch ms. */
export function newMaintenanceDraft(now: number): MaintenanceDraft {
  const from = Math.ceil(now / hourMs) * hourMs
  const to = from + 2 * hourMs
  return {
    name: '',
    services: selectorDraftOf(undefined),
    reason: '',
    isRepeated: false,
    ...spanDraftOf({ from, to }),
    every: dailySpanDraftOf(null, { from: '02:00', to: '04:00', zone: readerZone() }),
  }
}

const spanDraftOf = ({ from, to }: MaintenanceDraft['madeOf']) => ({
  from: inputTextOf(from),
  to: inputTextOf(to),
  madeOf: { from, to },
})

/** A text that is as it was means the instant that it was made of. NaN for nothing. */
function spanOf(draft: MaintenanceDraft): MaintenanceDraft['madeOf'] {
  const read = (end: 'from' | 'to'): number =>
    draft[end] === inputTextOf(draft.madeOf[end]) ? draft.madeOf[end] : instantOfInput(draft[end])
  return { from: read('from'), to: read('to') }
}

export function maintenanceDraftOf(window: MaintenanceView, now: number): MaintenanceDraft {
  const { name, services, reason, once, every } = window
  const draft = newMaintenanceDraft(now)
  return {
    ...draft,
    name,
    reason,
    services: selectorDraftOf(services),
    isRepeated: every !== undefined,
    ...(once !== undefined && spanDraftOf(once)),
    ...(every !== undefined && { every: dailySpanDraftOf(every, draft.every) }),
  }
}

/** What is wrong with the span that is chosen. */
export function maintenanceProblems(draft: MaintenanceDraft): FieldErrors {
  if (draft.isRepeated) return draft.every.days.length === 0 ? { every: 'Choose at least one day.' } : {}
  const { from, to } = spanOf(draft)
  return {
    ...(Number.isNaN(from) && { from: 'Say when it begins.' }),
    ...(Number.isNaN(to) && { to: 'Say when it ends.' }),
    ...(from >= to && { to: 'It ends before it begins.' }),
  }
}

export function readMaintenanceDraft(draft: MaintenanceDraft): FormReading<MaintenanceWindow> {
  const errors = {
    ...(draft.name.trim() === '' && { name: 'Say what is done.' }),
    ...selectorErrors(draft.services),
    ...maintenanceProblems(draft),
  }
  if (Object.keys(errors).length > 0) return { kind: 'wrong', errors }
  const services = selectorOf(draft.services)
  const read = z.safeParse(MaintenanceWindow, {
    name: draft.name,
    ...(services !== undefined && { services }),
    reason: draft.reason,
    ...(draft.isRepeated ? { every: dailySpanOf(draft.every) } : { once: spanOf(draft) }),
  })
  if (read.success) return { kind: 'value', value: read.data }
  return { kind: 'wrong', errors: issueErrors(read.error.issues, maintenanceFields) }
}
