import { expect, test } from 'bun:test'

import { dayMs, hourMs, minuteMs } from '../../shared/durations.ts'
import { StatusPageSpec } from '../../shared/status-pages.ts'
import type { StatusIncident } from '../../shared/status-pages.ts'
import { type ModelSources, daySpans, pageModel, shownDays } from './page-model.ts'
import type { LiveService } from './shown-page.ts'
import { overallOf } from './page-words.ts'
import { renderAtom, renderJson } from './render-feeds.ts'
import { renderPage } from './render-page.ts'

const now = Date.UTC(2026, 10, 23, 12, 6)
const up: LiveService = {
  name: 'Node',
  isChainless: false,
  decision: 'UP',
  since: now - dayMs,
  maintenance: null,
}
const time = (part: Partial<Record<'UP' | 'DOWN' | 'LATENCY' | 'UNKNOWN', number>>) => ({
  totalMs: dayMs,
  maintenanceMs: 0,
  notWatchedMs: 0,
  byDecision: { UP: 0, DOWN: 0, LATENCY: 0, UNKNOWN: 0, ...part },
})
const historyOf = (id: string, more: object = {}) => ({
  id,
  times: Array.from({ length: shownDays }, () => time({ UP: dayMs })),
  availability: 1,
  watchedMs: shownDays * dayMs,
  troubles: [],
  responseMs: 31.4,
  ...more,
})

function modelOf(ids: readonly string[], more: Partial<ModelSources> = {}) {
  const spec = StatusPageSpec.parse({
    page: 'main',
    title: 'Acme',
    groups: [{ name: 'All', services: ids.map((id) => ({ id, as: `Shown ${id}` })) }],
  })
  const sources = {
    spec,
    isPreview: false,
    now,
    incidents: [],
    work: [],
    subscriptions: [],
    live: () => up,
    history: historyOf,
  }
  return pageModel({ ...sources, ...more })
}

const incident = (part: Partial<StatusIncident>): StatusIncident => ({
  id: 'inc_1',
  page: 'main',
  kind: 'incident',
  title: 'A disk failed',
  services: ['a'],
  startsAt: now - hourMs,
  endsAt: null,
  isOver: false,
  updates: [{ at: now - hourMs, stage: 'investigating', text: 'We look.' }],
  ...part,
})

test('the days are whole ones of UTC, and the last one is today', () => {
  const spans = daySpans(now)
  expect(spans).toHaveLength(90)
  expect(new Date(spans[0]?.from ?? 0).toISOString()).toBe('2026-08-26T00:00:00.000Z')
  expect(spans.at(-1)).toEqual({ from: Date.UTC(2026, 10, 23), to: Date.UTC(2026, 10, 24) })
})

test('what is known now comes before the history that was read', () => {
  const down: LiveService = { ...up, decision: 'DOWN', since: now - 5 * minuteMs }
  const begun = modelOf(['a'], { live: () => down })
  expect(begun.now.map(({ title, startsAt }) => [title, startsAt])).toEqual([
    ['Shown a does not answer', now - 5 * minuteMs],
  ])
  expect(overallOf(begun).text).toBe('The service has problems')
  const troubles = [{ from: now - hourMs, to: null, worst: 'DOWN' as const }]
  const back = modelOf(['a'], {
    live: () => ({ ...up, since: now - minuteMs }),
    history: (id) => historyOf(id, { troubles }),
  })
  expect([back.now, back.past.map(({ title, endsAt }) => [title, endsAt])]).toEqual([
    [],
    [['Shown a did not answer', now - minuteMs]],
  ])
})

test('what somebody wrote stands in place of what was seen, of its services and its time only', () => {
  const troubles = [
    { from: now - 3 * dayMs, to: now - 3 * dayMs + hourMs, worst: 'LATENCY' as const },
    { from: now - hourMs, to: null, worst: 'DOWN' as const },
  ]
  const live = (): LiveService => ({ ...up, decision: 'DOWN', since: now - hourMs })
  const history = (id: string) => historyOf(id, { troubles })
  const model = modelOf(['a', 'b'], {
    live,
    history,
    incidents: [incident({}), incident({ id: 'x', page: 'other' })],
  })
  expect(model.now.map(({ title }) => title)).toEqual(['A disk failed', 'Shown b does not answer'])
  expect(model.past.map(({ title }) => title)).toEqual(['Shown a was behind', 'Shown b was behind'])
  expect(model.now[0]?.state).toBe('down')
})

test('a long incident is one of the past until 90 days after its end', () => {
  const over = incident({ startsAt: now - 120 * dayMs, endsAt: now - dayMs, isOver: true })
  expect(modelOf(['a'], { incidents: [over] }).past).toMatchObject([{ id: over.id }])
  const older = { ...over, endsAt: now - 91 * dayMs }
  expect(modelOf(['a'], { incidents: [older] }).past).toEqual([])
})

test('a service is under maintenance while announced work is under way, and nothing else is said of it', () => {
  const live = (): LiveService => ({ ...up, decision: 'DOWN', since: now - minuteMs })
  const troubles = [{ from: now - minuteMs, to: null, worst: 'DOWN' as const }]
  const sources = { live, history: (id: string) => historyOf(id, { troubles }) }
  const statesOf = (more: Partial<ModelSources>) => {
    const { groups, now: open } = modelOf(['a', 'b'], { ...sources, ...more })
    return [groups[0]?.services.map(({ state }) => state), open.map(({ title }) => title)]
  }
  const both = ['Shown a does not answer', 'Shown b does not answer']
  const under = { from: now - hourMs, to: now + hourMs, services: ['a'] }
  expect(statesOf({ work: [under] })).toEqual([['maintenance', 'down'], [both[1] ?? '']])
  expect(statesOf({ work: [{ ...under, from: now + minuteMs }] })).toEqual([['down', 'down'], both])
  expect(statesOf({ work: [{ ...under, to: now }] })).toEqual([['down', 'down'], both])
  const told = incident({ kind: 'maintenance', startsAt: now - hourMs, endsAt: now + hourMs })
  expect(statesOf({ incidents: [told] })).toEqual([['maintenance', 'down'], [both[1] ?? '']])
})

test('work that is announced elsewhere is told once, without what was said about it there', () => {
  const work = [{ from: now + hourMs, to: now + 2 * hourMs, services: ['a', 'hidden'] }]
  expect(modelOf(['a'], { work }).planned).toMatchObject([{ title: 'Maintenance', services: ['Shown a'] }])
  const told = incident({
    kind: 'maintenance',
    title: 'New disks',
    startsAt: now + hourMs,
    endsAt: now + 2 * hourMs,
  })
  expect(modelOf(['a'], { work, incidents: [told] }).planned.map(({ title }) => title)).toEqual(['New disks'])
  expect(modelOf(['b'], { work }).planned).toEqual([])
})

test('a service that is gone stays on its page as unknown', () => {
  const model = modelOf(['a'], { live: () => null, history: () => null })
  expect(model.groups[0]?.services[0]).toMatchObject({
    name: 'Shown a',
    state: 'unknown',
    availability: null,
  })
  expect(overallOf(model).text).toBe('The service is not watched at the moment')
})

test('a page with as much as it may have is not longer than 50 kB', () => {
  const ids = Array.from({ length: 40 }, (_, index) => `node-${index}`)
  const times = Array.from({ length: shownDays }, (_, day) =>
    time(day % 9 === 0 ? { DOWN: 1 } : { UP: dayMs }),
  )
  const updates = Array.from({ length: 50 }, (_, index) => ({ at: now - index, stage: 'monitoring' as const, text: 'ö'.repeat(1_000) })) // prettier-ignore
  const incidents = Array.from({ length: 60 }, (_, index) => incident({ id: `inc_${index}`, isOver: index > 30, endsAt: index > 30 ? now : null, updates })) // prettier-ignore
  const model = modelOf(ids, { history: (id) => historyOf(id, { times }), incidents })
  const html = renderPage(model)
  expect(Buffer.byteLength(html)).toBeLessThanOrEqual(50_000)
  expect(html.match(/<li>/g)).toHaveLength(40)
  expect(JSON.parse(renderJson(model)).incidents).toHaveLength(31)
})

test('a page whose services changed every day, with the longest names and logo, is not longer either', () => {
  const ids = Array.from({ length: 40 }, (_, index) => `node-${index}`)
  const restless = [{ DOWN: 1 }, { UP: dayMs }, { LATENCY: 1 }]
  const times = Array.from({ length: shownDays }, (_, day) => time(restless[day % 3] ?? {}))
  const spec = StatusPageSpec.parse({
    page: 'main',
    title: 'Acme',
    logo: `data:image/png;base64,${'A'.repeat(11_900)}`,
    groups: Array.from({ length: 20 }, (_, group) => ({
      name: '層'.repeat(80),
      services: ids.slice(group * 2, group * 2 + 2).map((id) => ({ id, as: '層'.repeat(80) })),
    })),
  })
  const html = renderPage(modelOf(ids, { spec, history: (id) => historyOf(id, { times }) }))
  expect(Buffer.byteLength(html)).toBeLessThanOrEqual(50_000)
  expect(html.match(/<li>/g)).toHaveLength(40)
  expect(html).toContain('a stroke is the worst of 10 days')
  const plain = renderPage(modelOf(ids, { history: (id) => historyOf(id, { times }) }))
  expect(Buffer.byteLength(plain)).toBeLessThanOrEqual(50_000)
  expect(plain).toContain('a stroke is the worst of 3 days')
})

test('a name cannot become markup, in whatever form', () => {
  const spec = StatusPageSpec.parse({
    page: 'main',
    title: '<script>"&',
    groups: [{ name: '</style>', services: [{ id: 'a', as: '"><img src=x>' }] }],
  })
  const model = modelOf(['a'], { spec, incidents: [incident({ title: ']]><x>', updates: [{ at: now, stage: 'monitoring', text: '<u>x' }] })] }) // prettier-ignore
  const [html, atom] = [renderPage(model), renderAtom(model)]
  for (const text of ['<script>', '</style><', '<img src=x>', '<x>', '<u>']) {
    expect([text, html.includes(text), atom.includes(text)]).toEqual([text, false, false])
  }
  expect(atom).toContain('<title>]]&gt;&lt;x&gt;</title>')
})
