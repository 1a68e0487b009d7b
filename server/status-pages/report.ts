import { usualObjective } from '../../shared/health.ts'
import type { ReportRow, ServiceReport } from '../../shared/status-pages.ts'
import type { PeriodHistory } from '../health/health.ts'

interface ReportedService {
  readonly id: string
  readonly name: string
  readonly provider: string
  readonly objective: number | null
}

export interface ReportRequest {
  readonly month: string
  /** Of all of them; that of each service unless given. */
  readonly objective?: number | undefined
  readonly service?: string | undefined
}

export interface ReportSources {
  readonly services: () => readonly ReportedService[]
  readonly periods: (
    serviceIds: readonly string[],
    spans: readonly { readonly from: number; readonly to: number }[],
  ) => Promise<PeriodHistory[]>
  readonly now: () => number
}

/** Resolves to how each service, or one of them, kept its objective (percent) in a month of UTC, by name. */
export async function serviceReport(
  { services, periods, now }: ReportSources,
  { month, objective, service: only }: ReportRequest,
): Promise<ServiceReport> {
  const [year = 0, number = 0] = month.split('-').map(Number)
  const from = Date.UTC(year, number - 1, 1)
  const to = Math.min(Date.UTC(year, number, 1), Math.max(from, Math.floor(now())))
  const meant = services().filter(({ id }) => only === undefined || id === only)
  const all = meant.toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
  const past = await periods(
    all.map(({ id }) => id),
    [{ from, to }],
  )
  const byId = new Map(past.map((one) => [one.id, one]))
  return {
    month,
    from,
    to,
    rows: all.flatMap((service) => {
      const history = byId.get(service.id)
      const percent = objective ?? service.objective ?? usualObjective
      return history === undefined ? [] : [reportRow(service, history, percent, { from, to })]
    }),
  }
}

/** Pure. `span` is the month as far as it is over. */
export function reportRow(
  { id, name, provider }: Omit<ReportedService, 'objective'>,
  { times, availability, troubles }: PeriodHistory,
  objective: number,
  span: { readonly from: number; readonly to: number },
): ReportRow {
  const [time] = times
  const { UP = 0, LATENCY = 0, DOWN = 0, UNKNOWN = 0 } = time?.byDecision ?? {}
  const countedMs = UP + LATENCY + DOWN
  const lengths = troubles.map((one) => Math.min(one.to ?? span.to, span.to) - Math.max(one.from, span.from))
  const within = lengths.filter((length) => length > 0)
  return {
    serviceId: id,
    name,
    provider,
    objective,
    availability,
    countedMs,
    downMs: DOWN,
    latencyMs: LATENCY,
    unknownMs: UNKNOWN,
    notWatchedMs: time?.notWatchedMs ?? 0,
    maintenanceMs: time?.maintenanceMs ?? 0,
    // In whole parts first: 100 - 99.9 is not a tenth for a computer.
    budgetMs: Math.round((countedMs * Math.round((100 - objective) * 1e6)) / 1e8),
    incidents: within.length,
    longestMs: Math.max(0, ...within),
  }
}
