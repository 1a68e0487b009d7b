import { expect, test } from 'bun:test'

import { endpointMark } from './endpoint-health.ts'

const markOf = (upstreams: number, down: number, late: number) => {
  const mark = endpointMark({ upstreams, down, late })
  return mark === null ? null : [mark.decision, mark.tone, mark.share, mark.meaning]
}

test('an endpoint is marked when something behind it is DOWN or late', () => {
  expect(markOf(2, 0, 0)).toBeNull()
  expect(markOf(1, 1, 0)).toEqual(['DOWN', 'bad', '', 'Its only upstream is DOWN: calls are likely to fail.'])
  expect(markOf(3, 3, 0)).toEqual(['DOWN', 'bad', '', 'All 3 upstreams are DOWN: calls are likely to fail.'])
  expect(markOf(1, 0, 1)).toEqual(['LATENCY', 'warn', '', 'Behind its chain, or slow: answers may be old.'])
})

test('what is left of it is said with the mark', () => {
  expect(markOf(2, 1, 1)).toEqual([
    'DOWN',
    'warn',
    '1 of 2',
    '1 of 2 upstreams is DOWN: calls go to the other.',
  ])
  expect(markOf(5, 2, 0)?.[3]).toBe('2 of 5 upstreams are DOWN: calls go to the others.')
  expect(markOf(3, 0, 1)).toEqual([
    'LATENCY',
    'warn',
    '1 of 3',
    '1 of 3 upstreams is behind or slow: calls go to the others.',
  ])
})
