import type { ReportRow, ServiceReport } from '../../shared/status-pages.ts'
import { csvText } from '../../shared/csv.ts'
import { dayMs, hourMs, minuteMs } from '../../shared/durations.ts'

const header = [
  'month',
  'service',
  'name',
  'provider',
  'objective (%)',
  'uptime (%)',
  'time that counts (s)',
  'DOWN (s)',
  'LATENCY (s)',
  'UNKNOWN (s)',
  'not watched (s)',
  'maintenance (s)',
  'error budget (s)',
  'error budget left (s)',
  'incidents',
  'longest incident (s)',
]

const seconds = (ms: number): number => Math.round(ms / 1000)

/** How long a service may still be DOWN; below 0 when the budget is spent. */
export const budgetLeft = ({ budgetMs, downMs }: ReportRow): number => budgetMs - downMs

/** Rounded down, so that 100 means that nothing was missed. */
export const uptimePercent = (share: number): string => (Math.floor(share * 100_000) / 1_000).toFixed(3)

/** A report as a table for spreadsheets. */
export const reportCsv = ({ month, rows }: ServiceReport): string =>
  csvText([
    header,
    ...rows.map((row) => [
      month,
      row.serviceId,
      row.name,
      row.provider,
      row.objective,
      row.availability === null ? '' : uptimePercent(row.availability),
      seconds(row.countedMs),
      seconds(row.downMs),
      seconds(row.latencyMs),
      seconds(row.unknownMs),
      seconds(row.notWatchedMs),
      seconds(row.maintenanceMs),
      seconds(row.budgetMs),
      seconds(budgetLeft(row)),
      row.incidents,
      seconds(row.longestMs),
    ]),
  ])

/** `–`, `12 s`, `5 min`, `2 h 10 min`, `22 d 18 h`. */
export function lastedText(ms: number): string {
  if (ms === 0) return '–'
  if (ms < minuteMs) return `${Math.max(1, seconds(ms))} s`
  if (ms < hourMs) return `${Math.floor(ms / minuteMs)} min`
  if (ms >= 2 * dayMs) return `${Math.floor(ms / dayMs)} d ${Math.floor((ms % dayMs) / hourMs)} h`
  const minutes = Math.floor((ms % hourMs) / minuteMs)
  return `${Math.floor(ms / hourMs)} h${minutes === 0 ? '' : ` ${minutes} min`}`
}

/** The month before the one of an instant, which is over: `2026-10`. */
export const lastMonth = (now: number): string => {
  const date = new Date(now)
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1, 1)).toISOString().slice(0, 7)
}

/** The newest months with names, the one that is under way first. */
export function monthChoices(now: number, count: number): { value: string; label: string }[] {
  const date = new Date(now)
  const names = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return Array.from({ length: count }, (_, back) => {
    const at = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back, 1))
    const label = `${names.format(at)}${back === 0 ? ' (until now)' : ''}`
    return { value: at.toISOString().slice(0, 7), label }
  })
}
