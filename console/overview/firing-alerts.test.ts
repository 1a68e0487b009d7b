import { expect, test } from 'bun:test'

import { firingAlert } from '../alerts/test-support/firing-alert.ts'
import { alertConcerns, countsBesideAlerts, alertedIds } from './firing-alerts.ts'

test('every alert concerns operators, and leads to what it is about', () => {
  expect(alertConcerns([])).toEqual([])
  const verifiers = { kind: 'verifiers', id: 'all', name: 'Verifiers' } as const
  const concerns = alertConcerns([
    firingAlert({}),
    firingAlert({ id: 'b', rule: 'Verifier silent', subject: verifiers, decision: null, summary: 'Silent' }),
  ])
  expect(concerns).toEqual([
    {
      id: 'alert-a',
      tone: 'bad',
      text: 'Node down: Node A is DOWN',
      page: 'service',
      params: { serviceId: 'node-a' },
      query: {},
    },
    { id: 'alert-b', tone: 'warn', text: 'Verifier silent: Silent', page: 'verifiers', query: {} },
  ])
})

test('what somebody takes care of, or holds back, comes last and says so', () => {
  const held = firingAlert({ id: 'b', heldBack: { by: 'silence', name: 's', reason: '' } })
  const seen = firingAlert({ id: 'c', acknowledged: { at: 0, by: 'ops' } })
  expect(alertConcerns([held, seen, firingAlert({})]).map(({ id, tone, text }) => [id, tone, text])).toEqual([
    ['alert-a', 'bad', 'Node down: Node A is DOWN'],
    ['alert-b', 'info', 'Node down: Node A is DOWN (held back)'],
    ['alert-c', 'info', 'Node down: Node A is DOWN (acknowledged)'],
  ])
})

test('of very many, one sentence stands for the rest', () => {
  const many = Array.from({ length: 1_000 }, (_, place) => firingAlert({ id: String(place) }))
  const concerns = alertConcerns(many)
  expect(concerns).toHaveLength(21)
  expect(concerns.at(-1)).toMatchObject({ text: '980 more alerts are firing', page: 'alerts' })
})

test('services of which alerts tell are not counted once more', () => {
  const counts = { UP: 5, DOWN: 1, LATENCY: 0, UNKNOWN: 2 }
  expect(countsBesideAlerts(counts, [])).toEqual(counts)
  const twice = [firingAlert({}), firingAlert({ id: 'b', rule: 'At once' })]
  expect(countsBesideAlerts(counts, twice)).toEqual({ ...counts, DOWN: 0 })
  expect(countsBesideAlerts({ ...counts, DOWN: 2 }, twice)).toEqual({ ...counts, DOWN: 2 })
  const chain = { kind: 'chain', id: 'ethereum', name: 'ethereum' } as const
  const cause = firingAlert({ subject: chain, decision: 'UNKNOWN', affected: 2 })
  expect(countsBesideAlerts(counts, [cause])).toEqual({ ...counts, UNKNOWN: 0 })
})

test('of what alerts tell is known by their type', () => {
  const key = { kind: 'key', id: 'key_1', name: 'Build server' } as const
  const ending = firingAlert({ type: 'key.expiring', subject: key })
  const spent = firingAlert({ type: 'key.limit_used', subject: { ...key, id: 'key_2' } })
  expect([...alertedIds([ending, spent, firingAlert({})], 'key.expiring')]).toEqual(['key_1'])
})
