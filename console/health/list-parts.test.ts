import { expect, test } from 'bun:test'
import { mount } from '@vue/test-utils'

import type { ServiceHistory } from '../../shared/health-details.ts'
import DecisionBadge from './DecisionBadge.vue'
import DecisionCounts from './DecisionCounts.vue'
import FeedStatus from './FeedStatus.vue'
import HistoryBar from './HistoryBar.vue'
import ServiceLabels from './ServiceLabels.vue'
import UptimeFigures from './UptimeFigures.vue'

const ago = (ms: number): number => Date.now() - ms

test('a decision is a word, a shape of its own and a meaning', () => {
  const badges = (['UP', 'DOWN', 'LATENCY', 'UNKNOWN'] as const).map((decision) =>
    mount(DecisionBadge, { props: { decision } }),
  )
  expect(badges.map((badge) => badge.text())).toEqual(['UP', 'DOWN', 'LATENCY', 'UNKNOWN'])
  expect(new Set(badges.map((badge) => badge.get('svg').html())).size).toBe(4)
  expect(badges[1]?.attributes('title')).toBe('Does not answer, or its answers are worthless')
})

test('a count chooses its decision, and takes the choice back', async () => {
  const counts = mount(DecisionCounts, {
    props: { counts: { UP: 7, DOWN: 2, LATENCY: 0, UNKNOWN: 1 }, modelValue: '' },
  })
  expect(counts.findAll('button').map((button) => button.attributes('aria-label'))).toEqual([
    '2 DOWN',
    '1 UNKNOWN',
    '0 LATENCY',
    '7 UP',
  ])
  const down = counts.get('[aria-label="2 DOWN"]')
  await down.trigger('click')
  await counts.setProps({ modelValue: 'DOWN' })
  expect(down.attributes('aria-pressed')).toBe('true')
  await down.trigger('click')
  expect(counts.emitted('update:modelValue')).toEqual([['DOWN'], ['']])
})

test('live numbers say when they changed; others how old they are', async () => {
  const status = mount(FeedStatus, { props: { state: 'live', knownAt: ago(60_000), changedAt: ago(3_000) } })
  expect(status.text()).toMatch(/^Live\s*· updated [34] s ago$/)
  await status.setProps({ state: 'lost' })
  expect(status.text()).toMatch(/^Connection lost, trying again …\s*· as of 1 min( 1 s)? ago$/)
})

test('a history bar is read out where its keys lead', async () => {
  const halfHour = 1_800_000
  const cell = (from: number, down: number) => ({
    from,
    to: from + halfHour,
    byDecision: { UP: halfHour - down, DOWN: down, LATENCY: 0, UNKNOWN: 0 },
    notWatchedMs: 0,
  })
  const bar = mount(HistoryBar, {
    props: { label: 'Decisions', cells: [cell(0, 0), cell(halfHour, 60_000)] },
  })
  const slider = bar.get('[role=slider]')
  await slider.trigger('keydown', { key: 'End' })
  expect(slider.attributes('aria-valuetext')).toEndWith('DOWN 1 min, UP 29 min')
  await slider.trigger('keydown', { key: 'ArrowLeft' })
  expect(slider.attributes('aria-valuetext')).toEndWith('UP 30 min')
  expect(slider.attributes('aria-valuenow')).toBe('1')
})

const history = (watchedMs: number): ServiceHistory => ({
  serviceId: 'node',
  range: '24h',
  from: 0,
  to: 86_400,
  uptime: { availability: watchedMs > 0 ? 1 : null, healthy: 1, unknownShare: 0, watchedMs },
  bar: [],
  transitions: [],
  incidents: [],
  buckets: [],
})

const figure = (watchedMs: number): string[] =>
  mount(UptimeFigures, { props: { histories: { '24h': history(watchedMs) } } })
    .findAll('dl > div:first-child > dd')
    .map((line) => line.text())

test('an uptime names the time that it stands on, where that is less than its range', () => {
  expect(figure(17 * 60_000)).toEqual(['100%', 'of the 17 min watched', 'UP 100% · UNKNOWN 0%'])
  expect(figure(86_400_000)).toEqual(['100%', 'UP 100% · UNKNOWN 0%'])
  expect(figure(0)).toEqual(['–', 'not watched yet'])
})

test('labels are a list, which is not there without any', () => {
  const labels = mount(ServiceLabels, { props: { labels: ['archive', 'no trace_block'] } })
  expect(labels.findAll('li').map((item) => item.text())).toEqual(['archive', 'no trace_block'])
  expect(mount(ServiceLabels, { props: { labels: [] } }).text()).toBe('')
})
