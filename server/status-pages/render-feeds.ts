import { rfc3339 } from '../../shared/instants.ts'
import { dayMs } from '../../shared/durations.ts'
import { escapeHtml as safe } from '../platform/escape-html.ts'
import { shownDays } from './page-model.ts'
import type { PageModel, ShownIncident } from './shown-page.ts'
import { overallOf, percentText, stageWords, standing, stateWords } from './page-words.ts'

const maybeInstant = (at: number | null): string | null => (at === null ? null : rfc3339(at))

/** Returns what a page says as JSON. Pure. */
export function renderJson(model: PageModel): string {
  const { page, title, at, groups, now, planned, past } = model
  const { state, text } = overallOf(model)
  const today = Math.floor(at / dayMs) * dayMs
  return JSON.stringify({
    page,
    title,
    at: rfc3339(at),
    state,
    summary: text,
    firstDay: rfc3339(today - (shownDays - 1) * dayMs).slice(0, 10),
    groups: groups.map(({ name, services }) => ({
      name,
      services: services.map(({ availability, watchedMs, responseMs, since, ...service }) => ({
        name: service.name,
        state: service.state,
        since: maybeInstant(since),
        responseMs: responseMs === null ? null : Math.round(responseMs),
        uptime: availability === null ? null : percentText(availability),
        watchedDays: Math.round(watchedMs / dayMs),
        days: service.days,
      })),
    })),
    incidents: now.map(incidentJson),
    maintenance: planned.map(incidentJson),
    past: past.slice(0, mostEntries).map(incidentJson),
  })
}

const incidentJson = ({ id, title, state, services, startsAt, endsAt, isOver, updates }: ShownIncident) => ({
  id,
  title,
  state,
  services,
  startsAt: rfc3339(startsAt),
  endsAt: maybeInstant(endsAt),
  isOver,
  updates: updates.map(({ at, stage, text }) => ({ at: rfc3339(at), stage, text })),
})

const mostEntries = 100

/** Returns incidents and planned work as an Atom feed (RFC 4287). Its addresses are relative to its own. Pure. */
export function renderAtom(model: PageModel): string {
  const { page, title, at, now, planned, past } = model
  // Of work that a service is marked with nobody knows since when: it would be news every minute.
  const entries = [...now, ...planned.filter(({ startsAt }) => startsAt !== at), ...past]
    .toSorted((one, other) => changedAt(other, at) - changedAt(one, at))
    .slice(0, mostEntries)
  const [newest] = entries
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>urn:gatehouse:status:${page}</id>
<title>${safe(title)}</title>
<updated>${rfc3339(newest === undefined ? Math.floor(at / dayMs) * dayMs : changedAt(newest, at))}</updated>
<author><name>${safe(title)}</name></author>
<link rel="self" type="application/atom+xml" href="/status/${page}.atom"/>
<link rel="alternate" type="text/html" href="/status/${page}"/>
${entries.map((entry) => entryOf(entry, page, at)).join('')}</feed>
`
}

/** When something was told about it last; what is only planned did not change now. */
const changedAt = ({ updates, startsAt, endsAt, isOver }: ShownIncident, now: number): number =>
  Math.max(
    updates[0]?.at ?? 0,
    updates.length > 0 ? 0 : isOver ? (endsAt ?? startsAt) : Math.min(startsAt, now),
  )

function entryOf(incident: ShownIncident, page: string, now: number): string {
  const { id, title, state, services, startsAt, updates, isOver } = incident
  const told = updates.map(
    ({ at, stage, text }) =>
      `<p><strong>${stageWords[stage]}</strong> (${rfc3339(at).slice(0, 16).replace('T', ' ')} UTC): ${safe(text).replaceAll(/\r?\n/g, '<br/>')}</p>`,
  )
  const parts = [
    ...(isOver
      ? []
      : [`<p>${safe(state === 'maintenance' ? standing(incident, now) : stateWords[state])}</p>`]),
    ...(services.length === 0 ? [] : [`<p>${services.map(safe).join(', ')}</p>`]),
    ...told,
  ]
  return `<entry>
<id>urn:gatehouse:status:${page}:${id}</id>
<title>${safe(title)}${isOver ? ' (over)' : ''}</title>
<published>${rfc3339(startsAt)}</published>
<updated>${rfc3339(changedAt(incident, now))}</updated>
<link rel="alternate" type="text/html" href="/status/${page}"/>
<content type="html">${safe(parts.join(''))}</content>
</entry>
`
}
