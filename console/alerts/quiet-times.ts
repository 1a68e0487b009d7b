import type { AlertSilence, MaintenanceView } from '../../shared/alert-times.ts'
import { dailySpanText } from './daily-span.ts'
import { selectorText } from './rule-words.ts'

/** What is silenced, in one line. */
export function silenceTitle(
  { rule, services, decisions }: AlertSilence,
  nameOf: (id: string) => string,
): string {
  const what = rule === undefined || services !== undefined ? [selectorText(services, nameOf)] : []
  return [
    ...(rule === undefined ? [] : [`rule “${rule}”`]),
    ...what,
    ...(decisions === undefined ? [] : [`${decisions.join(', ')} only`]),
  ].join(', ')
}

/** The reason first, as it is what one looks for. */
export const silenceFacts = ({ reason, createdBy }: AlertSilence): string =>
  `${reason === '' ? 'no reason given' : `“${reason}”`}, by ${createdBy}`

/** On what, why, and how often. */
export function maintenanceFacts(
  { services, reason, every }: MaintenanceView,
  nameOf: (id: string) => string,
): string {
  return [
    selectorText(services, nameOf),
    ...(reason === '' ? [] : [`“${reason}”`]),
    ...(every === undefined ? [] : [dailySpanText(every)]),
  ].join(' · ')
}

/** Work that lasts, then what comes next, then what is over; each by its beginning. */
export const soonestFirst = (windows: readonly MaintenanceView[]): readonly MaintenanceView[] =>
  windows.toSorted(
    (one, other) => (one.startsAt ?? Number.MAX_SAFE_INTEGER) - (other.startsAt ?? Number.MAX_SAFE_INTEGER),
  )
