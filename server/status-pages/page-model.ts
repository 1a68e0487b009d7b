import { createHash } from 'node:crypto'

import type { Decision } from '../../shared/health.ts'
import type {
  IncidentStage,
  StatusIncident,
  StatusPageSpec,
  SubscriberKind,
} from '../../shared/status-pages.ts'
import { dayMs } from '../../shared/durations.ts'
import type { PeriodHistory } from '../health/health.ts'

/** How a service is now. `slow` is LATENCY of what reads no chain. */
export type ShownState = 'working' | 'behind' | 'slow' | 'down' | 'unknown' | 'maintenance'

/** The worst of a day; `none`: nobody watched. */
export type DayState = 'up' | 'late' | 'down' | 'unknown' | 'maintenance' | 'none'

/** A service as health knows it now. Of its chain, provider and address a page is told nothing. */
export interface LiveService {
  readonly name: string
  readonly isChainless: boolean
  readonly decision: Decision
  /** Epoch ms; null before the first evaluation. */
  readonly since: number | null
  /** Announced work that is under way, and until when (epoch ms, null: not known). */
  readonly maintenance: { readonly until: number | null } | null
}

/** Work that is announced for services elsewhere than on the page. */
export interface AnnouncedWork {
  readonly from: number
  readonly to: number | null
  readonly services: readonly string[]
}

export interface ShownService {
  readonly name: string
  readonly state: ShownState
  readonly since: number | null
  readonly responseMs: number | null
  /** The oldest first; the last one is today. */
  readonly days: readonly DayState[]
  readonly availability: number | null
  readonly watchedMs: number
}

export interface ShownIncident {
  readonly id: string
  readonly title: string
  readonly state: ShownState
  /** What the page calls the services that are concerned. */
  readonly services: readonly string[]
  readonly startsAt: number
  /** Null while it goes on; of planned work, when it should be over. */
  readonly endsAt: number | null
  readonly isOver: boolean
  /** The newest first; none for what nobody wrote about. */
  readonly updates: readonly { readonly at: number; readonly stage: IncidentStage; readonly text: string }[]
}

/** Everything that a page says, and nothing else: what is not in here cannot be shown. */
export interface PageModel {
  readonly page: string
  readonly title: string
  readonly logo: string | null
  readonly isPreview: boolean
  /** By which forms one can subscribe. */
  readonly subscriptions: readonly SubscriberKind[]
  /** When it was made, epoch ms. */
  readonly at: number
  readonly groups: readonly { readonly name: string; readonly services: readonly ShownService[] }[]
  readonly now: readonly ShownIncident[]
  readonly planned: readonly ShownIncident[]
  /** The newest first, of 90 days. */
  readonly past: readonly ShownIncident[]
}

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
    return { id, name: as ?? live?.name ?? 'A service that is gone', live, history: sources.history(id) }
  })
  const byId = new Map(named.map((service) => [service.id, service]))
  const written = sources.incidents.filter((one) => one.page === spec.page)
  const told = written.map((one) => toldIncident(one, byId))
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
      ...announced(sources, named, written),
    ].toSorted((one, other) => one.startsAt - other.startsAt),
    past: [...told, ...observed]
      .filter(({ isOver, startsAt }) => isOver && startsAt > now - shownDays * dayMs)
      .toSorted((one, other) => other.startsAt - one.startsAt),
  }
}

interface NamedService {
  readonly id: string
  readonly name: string
  readonly live: LiveService | null
  readonly history: PeriodHistory | null
}

function shownService({ name, live, history }: NamedService): ShownService {
  return {
    name,
    state: stateOf(live),
    since: live?.since ?? null,
    responseMs: live?.decision === 'DOWN' ? null : (history?.responseMs ?? null),
    days: history?.times.map(dayState) ?? Array.from({ length: shownDays }, () => 'none' as const),
    availability: history?.availability ?? null,
    watchedMs: history?.watchedMs ?? 0,
  }
}

function stateOf(live: LiveService | null): ShownState {
  if (live === null) return 'unknown'
  if (live.maintenance !== null) return 'maintenance'
  switch (live.decision) {
    case 'UP':
      return 'working'
    case 'LATENCY':
      return live.isChainless ? 'slow' : 'behind'
    case 'DOWN':
      return 'down'
    case 'UNKNOWN':
      return 'unknown'
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

const severity: readonly ShownState[] = ['down', 'behind', 'slow', 'unknown']

/** An incident that somebody wrote looks as bad as the worst of its services does now. */
function toldIncident(
  { id, kind, title, services, startsAt, endsAt, isOver, updates }: StatusIncident,
  byId: ReadonlyMap<string, NamedService>,
): ShownIncident {
  const shown = services.flatMap((service) => byId.get(service) ?? [])
  const states = new Set(shown.map(({ live }) => stateOf(live)))
  const worst = severity.find((state) => states.has(state)) ?? 'working'
  return {
    id,
    title,
    state: kind === 'maintenance' ? 'maintenance' : worst,
    services: shown.map(({ name }) => name),
    startsAt,
    endsAt,
    isOver,
    updates: updates.toReversed(),
  }
}

/** What verifiers saw and nobody wrote about. Why is left out: a reason may name an address. */
function observedTroubles(
  page: string,
  { id, name, live, history }: NamedService,
  written: readonly StatusIncident[],
  now: number,
): ShownIncident[] {
  const isChainless = live?.isChainless ?? false
  return withLive(history?.troubles ?? [], live).flatMap(({ from, to, worst }): ShownIncident[] => {
    const isTold = written.some(
      ({ kind, services, startsAt, endsAt, isOver }) =>
        kind === 'incident' &&
        services.includes(id) &&
        from <= (isOver ? (endsAt ?? now) : now) &&
        (to ?? now) >= startsAt,
    )
    if (isTold) return []
    const state = worst === 'DOWN' ? 'down' : isChainless ? 'slow' : 'behind'
    return [
      {
        id: observedId(page, name, from),
        title: `${name} ${to === null ? presentWords[state] : pastWords[state]}`,
        state,
        services: [],
        startsAt: from,
        endsAt: to,
        isOver: to !== null,
        updates: [],
      },
    ]
  })
}

const presentWords = { down: 'does not answer', behind: 'is behind', slow: 'is slow' } as const
const pastWords = { down: 'did not answer', behind: 'was behind', slow: 'was slow' } as const

/** Made of what the page shows only, as ids of services are not for everybody. */
const observedId = (page: string, name: string, from: number): string =>
  `seen_${createHash('sha256').update(`${page}\n${name}\n${from}`).digest('hex').slice(0, 24)}`

/** What is known now comes before what was read a minute ago. */
function withLive(troubles: PeriodHistory['troubles'], live: LiveService | null): PeriodHistory['troubles'] {
  if (live === null || live.since === null) return troubles
  const { decision, since, maintenance } = live
  const open = troubles.find(({ to }) => to === null)
  if (open !== undefined) {
    if (decision !== 'UP') return troubles
    return troubles.map((one) => (one === open ? { ...one, to: Math.max(since, one.from) } : one))
  }
  if ((decision !== 'DOWN' && decision !== 'LATENCY') || maintenance !== null) return troubles
  // One that began in announced work is none.
  if (troubles.some(({ from }) => from >= since)) return troubles
  return [...troubles, { from: since, to: null, worst: decision }]
}

/** Work that is announced for services elsewhere, under what the page calls them; what was said about it there is not shown. */
function announced(
  { spec, work, now }: ModelSources,
  named: readonly NamedService[],
  written: readonly StatusIncident[],
): ShownIncident[] {
  const isTold = (id: string, from: number, to: number | null): boolean =>
    written.some(
      ({ kind, isOver, services, startsAt, endsAt }) =>
        kind === 'maintenance' &&
        !isOver &&
        services.includes(id) &&
        from <= (endsAt ?? Infinity) &&
        (to ?? Infinity) >= startsAt,
    )
  const windows = [
    ...named.flatMap(({ id, live }) =>
      live?.maintenance ? [{ from: now, to: live.maintenance.until, services: [id] }] : [],
    ),
    ...work,
  ]
  return windows.flatMap(({ from, to, services }): ShownIncident[] => {
    const names = named
      .filter(({ id }) => services.includes(id) && !isTold(id, from, to))
      .map((one) => one.name)
    if (names.length === 0 || (to !== null && to <= now)) return []
    return [
      {
        id: observedId(spec.page, names.join('\n'), from === now ? (to ?? 0) : from),
        title: 'Maintenance',
        state: 'maintenance',
        services: names,
        startsAt: from,
        endsAt: to,
        isOver: false,
        updates: [],
      },
    ]
  })
}
