import { expect, test } from 'bun:test'

import type { TrafficHour, UsageNumbers } from '../../shared/usage.ts'
import { isSilent, trafficBands, trafficFigures } from './traffic.ts'

const hour = (requests: number, errors = 0, rateLimited = 0, creditLimited = 0): TrafficHour => ({
  at: 0,
  requests,
  credits: 0,
  errors,
  rateLimited,
  creditLimited,
})
const totals = (changes: Partial<UsageNumbers>): UsageNumbers => ({
  requests: 0,
  credits: 0,
  ok: 0,
  errors: 0,
  rateLimited: 0,
  creditLimited: 0,
  bytesIn: 0,
  bytesOut: 0,
  p50Ms: null,
  p99Ms: null,
  ...changes,
})

test('each call is in one band', () => {
  expect(trafficBands({ hours: [hour(10, 1), hour(5, 0, 2, 3)] })).toEqual([
    { name: 'Answered', values: [9, 5] },
    { name: 'Errors', values: [1, 0] },
    { name: 'Refused by a limit', values: [0, 5], isRest: true },
  ])
  expect(trafficBands({ hours: [hour(10)] }).map(({ name }) => name)).toEqual(['Answered'])
})

test('each sum leads to what it is about', () => {
  const figures = trafficFigures({
    totals: totals({ requests: 7, errors: 2, rateLimited: 1, creditLimited: 4 }),
  })
  expect(figures.map(({ id, count, query }) => [id, count, query])).toEqual([
    ['requests', 7, {}],
    ['errors', 2, { only: 'errors' }],
    ['refused', 5, { only: 'refused' }],
  ])
})

test('a day in which every call was refused is not a silent one', () => {
  expect(isSilent({ totals: totals({}) })).toBe(true)
  expect(isSilent({ totals: totals({ creditLimited: 1 }) })).toBe(false)
})
