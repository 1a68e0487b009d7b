import { expect, test } from 'bun:test'

import { labelsOf } from '../../../shared/service-facts.ts'
import { certificateDays, createReportedFacts, mergeFacts } from './facts.ts'

test('the newest report says a fact, and the certificate that ends first counts', () => {
  const facts = createReportedFacts()
  facts.put('a', 'v1', { certificateExpiresAt: 2_000, clientVersion: 'Geth/1', peers: 3 }, 20)
  facts.put('a', 'v2', { certificateExpiresAt: 1_000, clientVersion: 'Geth/0' }, 10)
  expect(facts.of('a', 30)).toEqual({ certificateExpiresAt: 1_000, clientVersion: 'Geth/1', peers: 3 })
  expect(facts.of('b', 30)).toBeNull()
  facts.forgetService('a')
  expect(facts.of('a', 30)).toBeNull()
})

test('facts that nobody repeats for a quarter of an hour are forgotten', () => {
  const facts = createReportedFacts()
  facts.put('a', 'v1', { peers: 3 }, 0)
  expect(facts.of('a', 899_999)).toEqual({ peers: 3 })
  expect(facts.of('a', 900_000)).toBeNull()
})

test('a certificate that one verifier refuses is refused; one that is good again is not', () => {
  expect(mergeFacts([{ certificateProblem: 'EXPIRED' }, { certificateProblem: null }])).toEqual({
    certificateProblem: 'EXPIRED',
  })
  expect(mergeFacts([{ certificateProblem: null }]).certificateProblem).toBeNull()
})

test('labels and days', () => {
  expect(labelsOf({ stateDepth: null, missingMethods: ['trace_block'] })).toEqual([
    'archive',
    'no trace_block',
  ])
  expect(labelsOf({ stateDepth: 128 })).toEqual(['pruned'])
  expect(labelsOf({})).toEqual([])
  expect(certificateDays({ certificateExpiresAt: 86_400 }, 43_200_000)).toBe(0.5)
  expect(certificateDays({}, 0)).toBeNull()
})
