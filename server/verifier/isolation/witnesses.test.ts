import { expect, test } from 'bun:test'

import { type WitnessCandidate, createWitnesses } from './witnesses.ts'

const probe = (
  serviceId: string,
  probedAt: number,
  changes: Partial<WitnessCandidate> = {},
): WitnessCandidate => ({
  serviceId,
  host: `${serviceId}.example`,
  provider: `provider of ${serviceId}`,
  failedByTransport: false,
  probedAt,
  ...changes,
})
const failed = (serviceId: string, probedAt: number, changes: Partial<WitnessCandidate> = {}) =>
  probe(serviceId, probedAt, { failedByTransport: true, ...changes })

/** Ids that were probed at 100, 200, 300 … */
const answering = (...ids: string[]): WitnessCandidate[] =>
  ids.map((id, index) => probe(id, 100 * (index + 1)))

test('nobody is asked while everything answers', () => {
  const witnesses = createWitnesses()
  for (const one of answering('a', 'b')) witnesses.record(one, false)
  expect(witnesses.choose(answering('a', 'b'))).toEqual([])
})

test('after a loss the four that answered last are asked, and none of them twice', () => {
  const witnesses = createWitnesses()
  const lost = failed('lost', 1_000)
  witnesses.record(lost, true)
  const newest = [lost, ...answering('a', 'b', 'c', 'd', 'e')]
  expect(witnesses.choose(newest)).toEqual(['e', 'd', 'c', 'b'])
  expect(witnesses.choose(newest)).toEqual([])
  expect(witnesses.current().map(({ answers }) => answers)).toEqual([null, null, null, null])
})

test('nobody is asked where something was probed after the loss, and answered', () => {
  const witnesses = createWitnesses()
  witnesses.record(probe('other', 1_001), false)
  witnesses.record(failed('lost', 1_000), true) // its answer took longer to fail to come
  expect(witnesses.choose(answering('a', 'b'))).toEqual([])
})

test('a service that has not answered before is no loss', () => {
  const witnesses = createWitnesses()
  witnesses.record(failed('never there', 1_000), false)
  expect(witnesses.choose(answering('a', 'b'))).toEqual([])
})

test('no two witnesses have a host or a provider in common, with each other or with what is lost', () => {
  const witnesses = createWitnesses()
  const lost = failed('lost', 1_000)
  witnesses.record(lost, true)
  const newest = [
    lost,
    probe('same host', 900, { host: lost.host }),
    probe('same provider', 800, { provider: lost.provider }),
    probe('a', 700),
    probe('host of a', 600, { host: 'a.example' }),
    probe('provider of a', 500, { provider: 'provider of a' }),
    probe('b', 400),
  ]
  expect(witnesses.choose(newest)).toEqual(['a', 'b'])
})

test('their silence is recorded, and one answer ends the question', () => {
  const witnesses = createWitnesses()
  const lost = failed('lost', 1_000)
  witnesses.record(lost, true)
  witnesses.choose([lost, ...answering('a', 'b')])
  witnesses.record(failed('a', 1_100), true)
  expect(witnesses.current()).toEqual([
    { host: 'b.example', answers: null },
    { host: 'a.example', answers: false },
  ])
  witnesses.record(probe('somebody else', 999), false) // it was probed before the loss
  expect(witnesses.current()).toHaveLength(2)
  witnesses.record(probe('somebody else', 1_200), false)
  expect(witnesses.current()).toEqual([])
  expect(witnesses.choose([lost, ...answering('a', 'b')])).toEqual([])
})
