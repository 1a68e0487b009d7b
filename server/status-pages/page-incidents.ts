import { createHash } from 'node:crypto'

import type { StatusIncident } from '../../shared/status-pages.ts'
import type { PeriodHistory } from '../health/health.ts'
import type { AnnouncedWork, LiveService, NamedService, ShownIncident, ShownState } from './shown-page.ts'

/** Returns how a service is shown. */
export function stateOf({ live, inWorkSince }: Pick<NamedService, 'live' | 'inWorkSince'>): ShownState {
  if (live === null) return 'unknown'
  if (inWorkSince !== null) return 'maintenance'
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

const severity: readonly ShownState[] = ['down', 'behind', 'slow', 'unknown']

/** An incident that somebody wrote looks as bad as the worst of its services does now. */
export function writtenIncident(
  { id, kind, title, services, startsAt, endsAt, isOver, updates }: StatusIncident,
  byId: ReadonlyMap<string, NamedService>,
): ShownIncident {
  const shown = services.flatMap((service) => byId.get(service) ?? [])
  const states = new Set(shown.map(stateOf))
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
export function observedTroubles(
  page: string,
  { id, name, live, inWorkSince, history }: NamedService,
  written: readonly StatusIncident[],
  now: number,
): ShownIncident[] {
  const isChainless = live?.isChainless ?? false
  return withLive(history?.troubles ?? [], live, inWorkSince).flatMap(
    ({ from, to, worst }): ShownIncident[] => {
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
    },
  )
}

const presentWords = { down: 'does not answer', behind: 'is behind', slow: 'is slow' } as const
const pastWords = { down: 'did not answer', behind: 'was behind', slow: 'was slow' } as const

/** Made of what the page shows only, as ids of services are not for everybody. */
const observedId = (page: string, name: string, from: number): string =>
  `seen_${createHash('sha256').update(`${page}\n${name}\n${from}`).digest('hex').slice(0, 24)}`

/** What is known now comes before what was read a minute ago. */
function withLive(
  troubles: PeriodHistory['troubles'],
  live: LiveService | null,
  inWorkSince: number | null,
): PeriodHistory['troubles'] {
  if (live === null || live.since === null) return troubles
  const { decision, since } = live
  const open = troubles.find(({ to }) => to === null)
  if (open !== undefined) {
    // One that began in announced work is none.
    if (inWorkSince !== null && open.from >= inWorkSince) return troubles.filter((one) => one !== open)
    if (decision !== 'UP') return troubles
    return troubles.map((one) => (one === open ? { ...one, to: Math.max(since, one.from) } : one))
  }
  if ((decision !== 'DOWN' && decision !== 'LATENCY') || inWorkSince !== null) return troubles
  // One that began in announced work is none.
  if (troubles.some(({ from }) => from >= since)) return troubles
  return [...troubles, { from: since, to: null, worst: decision }]
}

/** Work that is announced for services elsewhere, under what the page calls them; what was said about it there is not shown. */
export function announced(
  {
    page,
    work,
    now,
  }: { readonly page: string; readonly work: readonly AnnouncedWork[]; readonly now: number },
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
        id: observedId(page, names.join('\n'), from === now ? (to ?? 0) : from),
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
