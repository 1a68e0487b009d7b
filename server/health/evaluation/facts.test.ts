import { expect, test } from 'bun:test'

import { certificateDays, createReportedFacts, mergeFacts } from './facts.ts'

test('the newest report says a fact, and the certificate that ends first counts', () => {
  const facts = createReportedFacts()
  facts.put('a', 'v1', { certificateExpiresAt: 2_000, clientVersion: 'Geth/1', peers: 3 }, 20)
  facts.put('a', 'v2', { certificateExpiresAt: 1_000, clientVersion: 'Geth/0' }, 10)
  expect(facts.of('a', 30)).toEqual({
    facts: { certificateExpiresAt: 1_000, clientVersion: 'Geth/1', peers: 3 },
    at: 20,
    verifierIds: ['v2', 'v1'],
    address: null,
  })
  expect(facts.of('b', 30)).toBeNull()
  facts.forgetService('a')
  expect(facts.of('a', 30)).toBeNull()
})

test('facts that change by themselves are forgotten when nobody repeats them for a quarter of an hour', () => {
  const facts = createReportedFacts()
  facts.put('a', 'v1', { peers: 3 }, 0)
  expect(facts.of('a', 899_999)?.facts).toEqual({ peers: 3 })
  expect(facts.of('a', 900_000)).toBeNull()
})

test('a certificate that one verifier refuses is refused; one that is good again is not', () => {
  expect(mergeFacts([{ certificateProblem: 'EXPIRED' }, { certificateProblem: null }])).toEqual({
    certificateProblem: 'EXPIRED',
  })
  expect(mergeFacts([{ certificateProblem: null }]).certificateProblem).toBeNull()
})

test('facts that last are remembered for a month, with their age', () => {
  const facts = createReportedFacts()
  const month = 30 * 86_400_000
  facts.put('a', 'v1', { peers: 3, stateDepth: null, clientVersion: 'Geth/1' }, 5)
  const lasting = { stateDepth: null, clientVersion: 'Geth/1' }
  const remembered = { facts: lasting, at: 5, verifierIds: ['v1'], address: null }
  expect(facts.of('a', 1_000_000)).toEqual(remembered)
  expect(facts.of('a', month + 5)).toBeNull()
  expect(facts.takeReported(10)).toEqual([['a', remembered]])
  expect(facts.takeReported(10)).toEqual([])
})

test('what a restart brought back is told until somebody reports again', () => {
  const facts = createReportedFacts()
  facts.restore('a', { facts: { stateDepth: 128 }, at: 5, verifierIds: ['v1'], address: null })
  expect(facts.of('a', 10)).toMatchObject({ facts: { stateDepth: 128 }, at: 5 })
  facts.put('a', 'v2', { stateDepth: null }, 20)
  expect(facts.of('a', 30)).toMatchObject({ facts: { stateDepth: null }, verifierIds: ['v2'] })
})

test('of a verifier that was switched off the lasting facts stay, of one that was revoked nothing does', () => {
  const facts = createReportedFacts()
  facts.put('a', 'v1', { stateDepth: null, peers: 3 }, 5)
  facts.forgetVerifier('v1')
  expect(facts.of('a', 10)?.facts).toEqual({ stateDepth: null })
  facts.distrust('v1')
  expect(facts.of('a', 10)).toBeNull()
})

test('facts belong to the address that they were read from', () => {
  const facts = createReportedFacts()
  facts.setAddress('a', 'https://one.example/', 0)
  facts.put('a', 'v1', { stateDepth: null }, 5)
  facts.setAddress('a', 'https://one.example/', 10)
  expect(facts.of('a', 10)?.facts).toEqual({ stateDepth: null })
  facts.setAddress('a', 'https://two.example/', 20)
  expect(facts.of('a', 20)).toBeNull()
  facts.put('a', 'v1', { stateDepth: null }, 19) // by a probe of the other address that was under way
  expect(facts.of('a', 20)).toBeNull()
  facts.put('a', 'v1', { stateDepth: 128 }, 20)
  facts.put('a', 'v1', { stateDepth: 8_192 }, 15)
  expect(facts.of('a', 20)?.facts).toEqual({ stateDepth: 128 })
  expect(['a', 'b'].map(facts.addressSince)).toEqual([20, 0])
})

test('days', () => {
  expect(certificateDays({ certificateExpiresAt: 86_400 }, 43_200_000)).toBe(0.5)
  expect(certificateDays({}, 0)).toBeNull()
})
