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
  every: DailySpanDraft
}

export const maintenanceFields = ['name', 'reason', 'from', 'to', 'every', 'services'] as const

/** Work that begins with the next full hour. `now` in epoch ms. */
export function newMaintenanceDraft(now: number): MaintenanceDraft {
  const from = Math.ceil(now / hourMs) * hourMs
  return {
    name: '',
    services: selectorDraftOf(undefined),
    reason: '',
    isRepeated: false,
    from: inputTextOf(from),
    to: inputTextOf(from + 2 * hourMs),
    every: dailySpanDraftOf(null, { from: '02:00', to: '04:00', zone: readerZone() }),
  }
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
    ...(once !== undefined && { from: inputTextOf(once.from), to: inputTextOf(once.to) }),
    ...(every !== undefined && { every: dailySpanDraftOf(every, draft.every) }),
  }
}

/** What is wrong with the span that is chosen. */
export function maintenanceProblems({ isRepeated, from, to, every }: MaintenanceDraft): FieldErrors {
  if (isRepeated) return every.days.length === 0 ? { every: 'Choose at least one day.' } : {}
  const [start, end] = [instantOfInput(from), instantOfInput(to)]
  return {
    ...(Number.isNaN(start) && { from: 'Say when it begins.' }),
    ...(Number.isNaN(end) && { to: 'Say when it ends.' }),
    ...(start >= end && { to: 'It ends before it begins.' }),
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
    ...(draft.isRepeated
      ? { every: dailySpanOf(draft.every) }
      : { once: { from: instantOfInput(draft.from), to: instantOfInput(draft.to) } }),
  })
  if (read.success) return { kind: 'value', value: read.data }
  return { kind: 'wrong', errors: issueErrors(read.error.issues, maintenanceFields) }
}
