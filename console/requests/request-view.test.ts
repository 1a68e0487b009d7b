import { expect, test } from 'bun:test'

import {
  allRequests,
  beginOf,
  requestAddressOf,
  requestFilterOf,
  requestViewOf,
  spanBetween,
} from './request-view.ts'

test('the address holds the view, and nonsense in it restricts nothing', () => {
  const view = {
    account: 'all',
    key: 'qkey_1',
    group: 'failed',
    text: '503',
    range: '6h',
    span: { from: 1_769_860_800_000, to: 1_769_864_400_000 },
  } as const
  expect(requestViewOf(requestAddressOf(view))).toEqual(view)
  expect(requestAddressOf(allRequests)).toEqual({})
  expect(requestViewOf({ outcome: 'odd', range: ['1h'], key: null })).toEqual(allRequests)
})

test.each([
  ['503', { status: 503 }],
  [' eth_call ', { method: 'eth_call' }],
  ['getProgramAccounts', { method: 'getProgramAccounts' }],
  ['0123456789abcdef0123', { requestId: '0123456789abcdef0123' }],
  ['req_01k9x3q7e2vd8m', { requestId: 'req_01k9x3q7e2vd8m' }],
  ['', {}],
])('%s is looked for as %o', (text, filter) => {
  expect(requestFilterOf({ ...allRequests, text })).toEqual(filter)
})

test('one account, all, or one own', () => {
  expect(requestFilterOf({ ...allRequests, account: 'all', key: 'k' })).toEqual({ all: true, keyId: 'k' })
  expect(requestFilterOf({ ...allRequests, account: 'acc_1' })).toEqual({ account: 'acc_1' })
})

test('a part of the period is asked for alone, and is what a pointer was drawn over', () => {
  const span = { from: 1_769_860_800_000, to: 1_769_864_400_000 }
  expect(requestFilterOf({ ...allRequests, span })).toEqual(span)
  expect(beginOf({ ...allRequests, span }, 0)).toBe(span.from)
  expect(spanBetween(span, 0.75, 0.5)).toEqual({ from: span.from + 1_800_000, to: span.from + 2_700_000 })
  expect(spanBetween(span, 0.9, 1.5)).toEqual({ from: span.from + 3_240_000, to: span.to })
  expect(spanBetween(span, 0.5, 0.505)).toBeNull()
  expect(requestViewOf({ span: '1769864400000-1769860800000' }).span).toBeNull()
})

test('a range ends now', () => expect(beginOf({ ...allRequests, range: '15m' }, 1_000_000)).toBe(100_000))
