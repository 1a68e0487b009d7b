import { beforeEach, expect, test } from 'bun:test'

import { silentLog } from '../../../scripts/world/database.ts'
import type { Report } from '../decide/vote.ts'
import { httpServiceOf, verifierOf } from '../test-support/fixtures.ts'
import { type ActiveVerifiers, createActiveVerifiers } from './active-verifiers.ts'
import { type Ejections, createEjections } from './ejections.ts'

const ids = ['a', 'b', 'c', 'liar']
const service = httpServiceOf('any')
let activeVerifiers: ActiveVerifiers
let ejections: Ejections

beforeEach(() => {
  activeVerifiers = createActiveVerifiers()
  for (const id of ids) activeVerifiers.put(verifierOf(id))
  ejections = createEjections(activeVerifiers, silentLog)
})

const report = (verifierId: string, ok: boolean): Report => ({
  verifierId,
  at: 0,
  ok,
  error: ok ? null : 'CONNECT',
  lagBlocks: 0,
  lagSec: 0,
  rttMs: 1,
})

/** One round over so many services, of which the liar calls some bad. */
function round(services: number, liesAbout: number): boolean {
  for (let slot = 0; slot < services; slot++) {
    const reports = ids.map((id) => report(id, id !== 'liar' || slot >= liesAbout))
    ejections.judge({ service, slot }, reports, 'UP')
  }
  return ejections.endRound()
}

const ejected = () => ids.filter((id) => activeVerifiers.find(id)?.isEjected)

test('who contradicts the majority on half of the services is ejected, and back after two clean rounds', () => {
  expect(round(10, 5)).toBe(true)
  expect(ejected()).toEqual(['liar'])
  expect(round(10, 0)).toBe(false)
  expect(ejected()).toEqual(['liar'])
  expect(round(10, 0)).toBe(true)
  expect(ejected()).toEqual([])
})

test('less than half, or less than five, is an opinion', () => {
  round(11, 5)
  round(4, 4)
  expect(ejected()).toEqual([])
})

test('a service counts once in a round, however often it is judged', () => {
  for (let time = 0; time < 10; time++) {
    ejections.judge(
      { service, slot: 0 },
      ids.map((id) => report(id, id !== 'liar')),
      'UP',
    )
  }
  expect(ejections.endRound()).toBe(false)
  expect(ejected()).toEqual([])
})

test('rounds do not add up', () => {
  round(4, 4)
  round(4, 4)
  expect(ejected()).toEqual([])
})

test('one who leaves is forgotten, and silence brings nobody back', () => {
  round(10, 10)
  expect(ejections.endRound()).toBe(false)
  expect(ejections.endRound()).toBe(false)
  expect(ejected()).toEqual(['liar'])
  activeVerifiers.revoke('liar')
  ejections.endRound()
  activeVerifiers.put(verifierOf('liar'))
  ejections.endRound()
  expect(ejected()).toEqual([])
})
