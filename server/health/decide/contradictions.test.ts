import { expect, test } from 'bun:test'

import { type Ballot, type ContradictionTally, countContradictions, noneEjected } from './ejection.ts'
import type { Vote } from './vote.ts'

const ballots = (votes: Record<string, Vote>): Ballot[] =>
  Object.entries(votes).map(([verifierId, vote]) => ({ verifierId, vote }))

function tally(services: Record<string, Vote>[], ejected = noneEjected): Record<string, ContradictionTally> {
  const tallies = new Map<string, ContradictionTally>()
  for (const service of services) countContradictions(tallies, ballots(service), ejected)
  return Object.fromEntries(tallies)
}

test('whoever votes on a service that the majority calls OK is judged, BAD contradicts', () => {
  expect(
    tally([
      { a: 'ok', b: 'ok', c: 'bad' },
      { a: 'ok', b: 'ok', c: 'ok' },
    ]),
  ).toEqual({
    a: { judged: 2, contradicted: 0 },
    b: { judged: 2, contradicted: 0 },
    c: { judged: 2, contradicted: 1 },
  })
})

test('LAG is an opinion, not a contradiction', () => {
  expect(tally([{ a: 'ok', b: 'ok', c: 'lag' }])['c']).toEqual({ judged: 1, contradicted: 0 })
})

test('services that the majority does not call OK judge nobody', () => {
  expect(
    tally([
      { a: 'ok', b: 'bad' },
      { a: 'bad', b: 'bad', c: 'ok' },
      { a: 'ok', b: 'lag', c: 'bad' },
    ]),
  ).toEqual({})
})

test('ejected verifiers are judged but have no part in the majority', () => {
  const ejected = new Map([['x', 0]])
  expect(tally([{ a: 'ok', x: 'bad' }], ejected)).toEqual({
    a: { judged: 1, contradicted: 0 },
    x: { judged: 1, contradicted: 1 },
  })
  expect(tally([{ a: 'ok', b: 'bad', x: 'ok' }], ejected)).toEqual({})
})
