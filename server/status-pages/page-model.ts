import type { StatusIncident, StatusPageSpec } from '../../shared/status-pages.ts'
import { dayMs } from '../../shared/durations.ts'
import type { PeriodHistory } from '../health/health.ts'
import { announced, observedTroubles, stateOf, writtenIncident } from './page-incidents.ts'
import type {
  AnnouncedWork,
  DayState,
  LiveService,
  NamedService,
  PageModel,
  ShownService,
} from './shown-page.ts'

export interface ModelSources extends Pick<PageModel, 'isPreview' | 'subscriptions'> {
  readonly spec: StatusPageSpec
  readonly now: number
  readonly incidents: readonly StatusIncident[]
  readonly work: readonly AnnouncedWork[]
  /** Null for a service that is not registered (any more). */
  readonly live: (id: string) => LiveService | null
  readonly history: (id: string) => PeriodHistory | null
}

export const shownDays = 90

/** Returns the spans of the days that a page shows: whole days of UTC, the last one is today. */
export function daySpans(now: number): { from: number; to: number }[] {
  const today = Math.floor(now / dayMs) * dayMs
  return Array.from({ length: shownDays }, (_, index) => {
    const from = today - (shownDays - 1 - index) * dayMs
    return { from, to: from + dayMs }
  })
}

/** Puts together what a page says. Pure. */
export function pageModel(sources: ModelSources): PageModel {
  const { spec, now } = sources
  const chosen = spec.groups.flatMap(({ services }) => services)
  const named = chosen.map(({ id, as }) => {
    const live = sources.live(id)
    const name = as ?? live?.name ?? 'A service that is gone'
    return { id, name, live, inWorkSince: inWorkSince(sources, id, live), history: sources.history(id) }
  })
  const byId = new Map(named.map((service) => [service.id, service]))
  const written = sources.incidents.filter((one) => one.page === spec.page)
  const told = written.map((one) => writtenIncident(one, byId))
  const observed = named.flatMap((service) => observedTroubles(spec.page, service, written, now))
  return {
    page: spec.page,
    title: spec.title,
    logo: spec.logo ?? null,
    isPreview: sources.isPreview,
    subscriptions: sources.subscriptions,
    at: now,
    groups: spec.groups.map(({ name, services }) => ({
      name,
      services: services.flatMap(({ id }) => {
        const service = byId.get(id)
        return service === undefined ? [] : [shownService(service)]
      }),
    })),
    now: [...told, ...observed].filter(
      ({ state, isOver, startsAt }) => state !== 'maintenance' && !isOver && startsAt <= now,
    ),
    planned: [
      ...told.filter(({ state, isOver }) => state === 'maintenance' && !isOver),
      ...announced({ page: spec.page, work: sources.work, now }, named, written),
    ].toSorted((one, other) => one.startsAt - other.startsAt),
    past: [...told, ...observed]
      .filter(({ isOver, startsAt, endsAt }) => isOver && (endsAt ?? startsAt) > now - shownDays * dayMs)
      .toSorted((one, other) => other.startsAt - one.startsAt),
  }
}

/** Since when announced work on a service is under way: said of itself, of alerts, or on this page. */
function inWorkSince(
  { spec, work, incidents, now }: ModelSources,
  id: string,
  live: LiveService | null,
): number | null {
  const planned = work.filter(
    ({ from, to, services }) => services.includes(id) && from <= now && (to === null || to > now),
  )
  const written = incidents.filter(
    ({ page, kind, services, startsAt, isOver }) =>
      page === spec.page && kind === 'maintenance' && !isOver && startsAt <= now && services.includes(id),
  )
  const begins = [...planned.map(({ from }) => from), ...written.map(({ startsAt }) => startsAt)]
  if (begins.length > 0) return Math.min(...begins)
  return live?.maintenance ? now : null
}

function shownService(service: NamedService): ShownService {
  const { name, live, history } = service
  return {
    name,
    state: stateOf(service),
    since: live?.since ?? null,
    responseMs: live?.decision === 'DOWN' ? null : (history?.responseMs ?? null),
    days: history?.times.map(dayState) ?? Array.from({ length: shownDays }, () => 'none' as const),
    availability: history?.availability ?? null,
    watchedMs: history?.watchedMs ?? 0,
  }
}

/** A restart of ours leaves minutes about which nothing is known; a day is not marked for that. */
const notableUnknownMs = dayMs / 100

function dayState({ byDecision, maintenanceMs }: PeriodHistory['times'][number]): DayState {
  if (byDecision.DOWN > 0) return 'down'
  if (byDecision.LATENCY > 0) return 'late'
  if (maintenanceMs > 0) return 'maintenance'
  if (byDecision.UNKNOWN > notableUnknownMs || byDecision.UNKNOWN > byDecision.UP) return 'unknown'
  return byDecision.UP > 0 ? 'up' : 'none'
}
