import * as z from 'zod/mini'

import { MaintenanceWindow } from '../../shared/alert-times.ts'
import type { MaintenanceView } from '../../shared/alert-times.ts'
import { hourMs } from '../../shared/durations.ts'
import { issueErrors } from '../forms/field-errors.ts'
import type { FieldErrors, FormReading } from '../forms/field-errors.ts'
import { dailySpanDraftOf, dailySpanOf, ownZone } from './daily-span.ts'
import type { DailySpanDraft } from './daily-span.ts'
import { selectorDraftOf, selectorErrors, selectorOf } from './selector-draft.ts'
import type { SelectorDraft } from './selector-draft.ts'

/** Planned work as it is typed. */
export interface MaintenanceDraft {
  name: string
  services: SelectorDraft
  reason: string
  isRepeated: boolean
  /** What `datetime-local` inputs hold, in the reader's own time. */
  from: string
  to: string
  every: DailySpanDraft
}

export const maintenanceFields = ['name', 'reason', 'from', 'to', 'every', 'services'] as const

const two = (number: number): string => String(number).padStart(2, '0')

/** What a `datetime-local` input holds for an instant (epoch ms), where the reader is. */
export function localInputText(at: number): string {
  const date = new Date(at)
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** Work that begins with the next full hour. `now` in epoch ms. */
export function newMaintenanceDraft(now: number): MaintenanceDraft {
  const from = Math.ceil(now / hourMs) * hourMs
  return {
    name: '',
    services: selectorDraftOf(undefined),
    reason: '',
    isRepeated: false,
    from: localInputText(from),
    to: localInputText(from + 2 * hourMs),
    every: dailySpanDraftOf(null, { from: '02:00', to: '04:00', zone: ownZone() }),
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
    ...(once !== undefined && { from: localInputText(once.from), to: localInputText(once.to) }),
    ...(every !== undefined && { every: dailySpanDraftOf(every, draft.every) }),
  }
}

const instantOf = (text: string): number => (text === '' ? Number.NaN : new Date(text).getTime())

/** What is wrong with the span that is chosen. */
export function maintenanceProblems({ isRepeated, from, to, every }: MaintenanceDraft): FieldErrors {
  if (isRepeated) return every.days.length === 0 ? { every: 'Choose at least one day.' } : {}
  const [start, end] = [instantOf(from), instantOf(to)]
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
      : { once: { from: instantOf(draft.from), to: instantOf(draft.to) } }),
  })
  if (read.success) return { kind: 'value', value: read.data }
  return { kind: 'wrong', errors: issueErrors(read.error.issues, maintenanceFields) }
}
