import { expect, test } from 'bun:test'

import { reasonSentence } from './health-reasons.ts'

test('a reason that was stored is told in words; another form stays as it is', () => {
  expect(reasonSentence('2 of 3 say LAG: BLOCKS_BEHIND, SLOW')).toBe(
    '2 of 3 say LATENCY: blocks behind; slow',
  )
  expect(reasonSentence('1 of 1 say BAD: CONNECT')).toBe('1 of 1 says DOWN: no connection')
  expect(reasonSentence('3 of 3 say OK')).toBe('3 of 3 say UP')
  expect(reasonSentence('no quorum: 0 live')).toBe('too few verifiers: 0 report')
  expect(reasonSentence('no quorum: 1 live')).toBe('too few verifiers: 1 reports')
  expect(reasonSentence('no longer registered')).toBe('no longer registered')
})
