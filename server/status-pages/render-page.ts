import { dayMs } from '../../shared/durations.ts'
import { escapeHtml as safe } from '../platform/escape-html.ts'
import { renderBar, renderLegend } from './render-bar.ts'
import type { PageModel, ShownIncident, ShownService, ShownState } from './shown-page.ts'
import { pageStyle } from './page-style.ts'
import { subscribeForms } from './subscribers/subscriber-pages.ts'
import {
  barWords,
  utcDayText,
  daysText,
  lengthText,
  momentText,
  overallOf,
  responseText,
  stageWords,
  standing,
  stateWords,
  timeText,
} from './page-words.ts'

/** How much is written out; the feed and the JSON have the rest. */
interface Room {
  readonly openIncidents: number
  readonly updates: number
  readonly pastIncidents: number
  /** For how many days a stroke of a bar stands. */
  readonly daysOfStroke: number
  readonly hasLogo: boolean
}

/** A page is not longer than that, however often its services changed; only names of nothing but signs such as `&` make it so. */
const mostBytes = 50_000
const rooms: readonly Room[] = [
  { openIncidents: 20, updates: 6, pastIncidents: 20, daysOfStroke: 1, hasLogo: true },
  { openIncidents: 8, updates: 2, pastIncidents: 5, daysOfStroke: 1, hasLogo: true },
  { openIncidents: 4, updates: 1, pastIncidents: 0, daysOfStroke: 1, hasLogo: true },
  { openIncidents: 4, updates: 1, pastIncidents: 0, daysOfStroke: 3, hasLogo: true },
  { openIncidents: 4, updates: 1, pastIncidents: 0, daysOfStroke: 10, hasLogo: false },
]

/** Returns the page as HTML that needs no script. Pure. */
export function renderPage(model: PageModel): string {
  let html = ''
  for (const room of rooms) {
    html = render(model, room)
    if (Buffer.byteLength(html) <= mostBytes) break
  }
  return html
}

function render(model: PageModel, room: Room): string {
  const { title, page, groups, at } = model
  const overall = overallOf(model)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">${model.isPreview ? '\n<meta name="robots" content="noindex">' : ''}
<title>${safe(title)}: ${safe(overall.text.toLowerCase())}</title>
<link rel="alternate" type="application/atom+xml" title="Incidents" href="/status/${page}.atom">
<style>${pageStyle}</style>
</head>
<body>
${definitions}
<header class="top">${markOf(room.hasLogo ? model.logo : null)}<h1><bdi>${safe(title)}</bdi></h1>
<details class="sub"><summary>Subscribe</summary><div class="pop">${subscribeForms(page, model.subscriptions)}<p>Follow what is told here in a reader of feeds: <a href="/status/${page}.atom">Atom feed</a>.</p><p class="aff">Programs read the same as <a href="/status/${page}.json">JSON</a>.</p></div></details></header>
<main>
${model.isPreview ? '<p class="note">A preview: this page is not published.</p>\n' : ''}<div class="now ${classOf[overall.state]}">${iconOf(overall.state)}<span>${overall.text}</span><small>${utcDayText(at)}, ${timeText(at)} UTC</small></div>
${sectionOf('Now', model.now.slice(0, room.openIncidents), model, room)}${sectionOf('Planned maintenance', model.planned.slice(0, room.openIncidents), model, room)}${groups.map((group) => groupOf(group, at, room)).join('')}${renderLegend(room.daysOfStroke)}
${pastOf(model, room)}</main>
<footer><span>All times in UTC. Updated every minute.</span><a href="/status/${page}.json">JSON</a><a href="/status/${page}.atom">Atom</a></footer>
</body>
</html>
`
}

const definitions = `<svg class="defs" width="0" height="0" aria-hidden="true"><defs>
<pattern id="hl" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="f1" width="4" height="4"/><rect class="f2" width="2.2" height="4"/></pattern>
<pattern id="hu" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><rect class="f3" width="4" height="4"/><rect class="f4" width="1.5" height="4"/></pattern>
<pattern id="hm" width="3" height="4" patternUnits="userSpaceOnUse"><rect class="f5" width="3" height="4"/><rect class="f6" width="1" height="4"/></pattern>
<symbol id="up" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6.5"/><path d="m5.2 8 2 2 3.6-4"/></symbol>
<symbol id="lat" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6.5"/><path d="M8 4.5V8l2.4 1.4"/></symbol>
<symbol id="down" viewBox="0 0 16 16"><path d="M5.3 1.5h5.4l3.8 3.8v5.4l-3.8 3.8H5.3l-3.8-3.8V5.3z"/><path d="m6 6 4 4m0-4-4 4"/></symbol>
<symbol id="mnt" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6.5" stroke-dasharray="3 2"/><path d="M5 8h6"/></symbol>
<symbol id="unk" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6.5"/><path d="M6 6.2a2 2 0 1 1 2.7 1.9c-.5.2-.7.5-.7 1M8 11.4v.1"/></symbol>
</defs></svg>`

/** The class and the icon of a state. */
const classOf: Readonly<Record<ShownState, string>> = {
  working: 'up',
  behind: 'lat',
  slow: 'lat',
  down: 'down',
  unknown: 'unk',
  maintenance: 'mnt',
}

const iconOf = (state: ShownState): string =>
  `<svg class="${classOf[state]}" viewBox="0 0 16 16" aria-hidden="true"><use href="#${classOf[state]}"/></svg>`

const markOf = (logo: string | null): string =>
  logo === null
    ? '<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8"/><path d="M6 20c3-5 6-5 9 0s7 5 11-2M6 14c3-5 6-5 9 0s7 5 11-2"/></svg>'
    : `<img src="${safe(logo)}" alt="">`

const stateLabel = (state: ShownState, text: string): string =>
  `<span class="st ${classOf[state]}">${iconOf(state)}${text}</span>`

const instant = (at: number, now: number): string =>
  `<time datetime="${new Date(at).toISOString()}">${momentText(at, now)}</time>`

const lined = (text: string): string => safe(text).replaceAll(/\r?\n/g, '<br>')

function sectionOf(
  heading: string,
  incidents: readonly ShownIncident[],
  { at }: PageModel,
  { updates }: Room,
): string {
  if (incidents.length === 0) return ''
  const articles = incidents.map((incident) => {
    const { title, state, services, startsAt } = incident
    const shown = state === 'working' ? 'unknown' : state
    const affected = services.map((name) => `<bdi>${safe(name)}</bdi>`).join(', ')
    const began = state === 'maintenance' && startsAt < at ? `Since ${momentText(startsAt, at)}.` : ''
    const about = [affected === '' ? '' : `${affected}.`, began].filter((part) => part !== '').join(' ')
    const told = incident.updates
      .slice(0, updates)
      .map(
        (update) =>
          `${instant(update.at, at)}<span><b>${stageWords[update.stage]}.</b> ${lined(update.text)}</span>`,
      )
    return `<article class="inc"><h3><bdi>${safe(title)}</bdi> ${stateLabel(shown, standing(incident, at))}</h3>${about === '' ? '' : `<p class="aff">${about}</p>`}${told.length === 0 ? '' : `<div class="upd">${told.join('')}</div>`}</article>\n`
  })
  return `<h2>${heading}</h2>\n<section class="card">${articles.join('')}</section>\n`
}

const groupOf = ({ name, services }: PageModel['groups'][number], now: number, room: Room): string =>
  `<h2><bdi>${safe(name)}</bdi> <span>90 days</span></h2>\n<ul class="card">${services.map((service) => serviceOf(service, now, room)).join('\n')}</ul>\n`

function serviceOf(service: ShownService, now: number, { daysOfStroke }: Room): string {
  const { name, state, days } = service
  const { begin, share } = barWords(service, now)
  const down = days.filter((day) => day === 'down').length
  const label = `${share}${down === 0 ? '' : `; down on ${down} ${down === 1 ? 'day' : 'days'}`}`
  return `<li><div class="r1"><b><bdi>${safe(name)}</bdi></b><span class="ms">${responseText(service)}</span>${stateLabel(state, stateWords[state])}</div>${renderBar(days, daysOfStroke, safe(label))}<div class="r2"><span>${begin}</span><span>${share}</span><span>today</span></div></li>`
}

/** How many days stand under "Past incidents". */
const pastDays = 14

function pastOf({ past, at }: PageModel, { pastIncidents }: Room): string {
  const today = Math.floor(at / dayMs) * dayMs
  const begin = today - (pastDays - 1) * dayMs
  const recent = past.filter(({ startsAt }) => startsAt >= begin)
  const older = past.length - recent.length
  const lines: string[] = []
  /** The newest day of a stretch without incidents. */
  let quietFrom: number | null = null
  const endQuiet = (until: number): void => {
    if (quietFrom === null) return
    const when = daysText(until, quietFrom)
    lines.push(`<div class="day"><span>${when}</span><span>No incidents.</span></div>`)
    quietFrom = null
  }
  let left = pastIncidents
  for (let day = today; day >= begin; day -= dayMs) {
    const ofDay = recent.filter(({ startsAt }) => startsAt >= day && startsAt < day + dayMs)
    if (ofDay.length === 0) {
      quietFrom ??= day
      continue
    }
    endQuiet(day + dayMs)
    const shown = ofDay.slice(0, left)
    left -= shown.length
    const hidden = ofDay.length - shown.length
    const told = [...shown.map(pastLine), ...(hidden === 0 ? [] : [`${hidden} more.`])]
    lines.push(`<div class="day"><span>${utcDayText(day)}</span><span>${told.join('<br>')}</span></div>`)
  }
  endQuiet(begin)
  const rest = older === 0 ? '' : ` <span>${older} before these stand in the feed</span>`
  return `<h2>Past incidents${rest}</h2>\n${lines.join('\n')}\n`
}

const pastTextChars = 300

function pastLine({ title, startsAt, endsAt, updates }: ShownIncident): string {
  const lasted = endsAt === null ? '' : ` for ${lengthText(endsAt - startsAt)}`
  const [last] = updates
  const text = last === undefined ? '' : ` ${safe(shortened(last.text))}`
  return `<b><bdi>${safe(title)}</bdi>${lasted}.</b>${text}`
}

const shortened = (text: string): string =>
  text.length <= pastTextChars ? text : `${text.slice(0, pastTextChars).replace(/\s+\S*$/, '')} …`

/** Returns the list of the pages that may be listed. */
export function renderIndex(pages: readonly PageModel[]): string {
  const items = pages.map((model) => {
    const { state, text } = overallOf(model)
    return `<li><div class="r1"><b><a href="/status/${model.page}"><bdi>${safe(model.title)}</bdi></a></b>${stateLabel(state, text)}</div></li>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Status pages</title>
<style>${pageStyle}</style>
</head>
<body>
${definitions}
<header class="top"><h1>Status pages</h1></header>
<main><ul class="card">${items.join('\n')}</ul></main>
</body>
</html>
`
}
