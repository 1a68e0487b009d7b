import { describe, expect, test } from 'bun:test'

import {
  isUsageNarrowed,
  usageQueryOf,
  questionBefore,
  questionOf,
  seriesQuestionOf,
  usualView,
  usageViewFromQuery,
} from './usage-view.ts'
import type { UsageView } from './usage-view.ts'

const now = Date.parse('2026-02-10T15:25:00Z')
const full: UsageView = {
  by: 'method',
  range: { kind: 'days', from: '2026-02-01', to: '2026-02-03' },
  isCompared: true,
  unit: 'day',
  measure: 'credits',
  account: 'acc_1',
  keyId: 'qkey_1',
  endpoint: 'testnet',
  method: 'eth_call',
  only: 'refused',
  sort: { key: 'errors', direction: 'descending' },
  page: 3,
}

describe('the address of the page', () => {
  test('says everything that is not as usual, and nothing else', () => {
    expect(usageQueryOf(usualView)).toEqual({})
    expect(usageQueryOf(full)).toEqual({
      by: 'method',
      from: '2026-02-01',
      to: '2026-02-03',
      compare: 'before',
      unit: 'day',
      measure: 'credits',
      account: 'acc_1',
      key: 'qkey_1',
      endpoint: 'testnet',
      method: 'eth_call',
      only: 'refused',
      sort: '-errors',
      page: '3',
    })
    expect(usageQueryOf({ ...usualView, range: { kind: 'last', length: '30d' } })).toEqual({ range: '30d' })
  })

  test('brings the same view again', () => {
    expect(usageViewFromQuery(usageQueryOf(full))).toEqual(full)
    expect(usageViewFromQuery({})).toEqual(usualView)
  })

  test('counts as absent where it makes no sense', () => {
    const nonsense = {
      by: 'colour',
      range: '3 weeks',
      from: '2026-02-30',
      to: '2026-02-31',
      unit: 'year',
      measure: 'luck',
      only: 'ok',
      key: ['a', 'b'],
      page: '-1',
    }
    expect(usageViewFromQuery(nonsense)).toEqual(usualView)
    expect(usageViewFromQuery({ method: 'x'.repeat(1_000) }).method).toHaveLength(128)
  })
})

describe('what is asked', () => {
  test('for a table is the time and what narrows it', () => {
    expect(questionOf(usualView, now)).toEqual({ from: Date.parse('2026-02-09T16:00:00Z') })
    expect(questionOf(full, now)).toEqual({
      from: Date.parse('2026-02-01T00:00:00Z'),
      to: Date.parse('2026-02-04T00:00:00Z'),
      account: 'acc_1',
      keyId: 'qkey_1',
      endpoint: 'testnet',
      method: 'eth_call',
    })
  })

  test('for the period before is the same of another time, where somebody wants to compare', () => {
    expect(questionBefore(usualView, now)).toBeNull()
    expect(questionBefore(full, now)).toEqual({
      ...questionOf(full, now),
      from: Date.parse('2026-01-29T00:00:00Z'),
      to: Date.parse('2026-02-01T00:00:00Z'),
    })
  })

  test('for a few minutes is added up by five minutes', () => {
    const view: UsageView = { ...usualView, range: { kind: 'last', length: '15m' } }
    expect(questionOf(view, now)).toEqual({ from: Date.parse('2026-02-10T15:15:00Z'), isByFives: true })
    expect(seriesQuestionOf(view, now)).not.toHaveProperty('isByFives')
    expect(seriesQuestionOf(view, now).granularity).toBe('5m')
  })

  test('for a chart is also how it is divided: as chosen, where that is possible', () => {
    expect(seriesQuestionOf(full, now)).toMatchObject({ by: 'method', granularity: 'day' })
    const unitFor = (view: Partial<UsageView>) => seriesQuestionOf({ ...usualView, ...view }, now).granularity
    expect(unitFor({})).toBe('hour')
    expect(unitFor({ unit: 'day' })).toBe('hour') // of one day there is no chart by days
    expect(unitFor({ range: { kind: 'last', length: '30d' } })).toBe('day')
    expect(unitFor({ range: { kind: 'last', length: '30d' }, unit: 'hour' })).toBe('hour')
    expect(unitFor({ range: { kind: 'days', from: '2025-06-01', to: '2025-06-02' } })).toBe('day')
  })
})

test('a choice of time narrows nothing', () => {
  expect(isUsageNarrowed({ ...usualView, range: { kind: 'last', length: '7d' } })).toBe(false)
  expect(isUsageNarrowed({ ...usualView, only: 'errors' })).toBe(true)
})
