import { expect, test } from 'bun:test'

import type { ServiceSummary } from '../../shared/health-services.ts'
import { createServiceSummaries } from './service-summaries.ts'

const line = (changes: Partial<ServiceSummary> = {}): ServiceSummary => ({
  id: 'a',
  name: 'Node A',
  family: 'evm',
  chain: null,
  provider: 'acme',
  labels: [],
  objective: null,
  managedBy: 'operator',
  decision: 'UP',
  decisionSince: 5,
  liveVerifiers: 3,
  avgBlocksLatency: 0,
  avgTimeLatency: 0,
  timestamp: 10,
  maintenance: null,
  reason: null,
  pending: null,
  ...changes,
})
const { name: _name, family: _family, chain: _chain, provider: _provider, managedBy: _by, ...state } = line()

test('an event changes the numbers of a line and keeps the rest', () => {
  const lines = createServiceSummaries()
  lines.load([line(), line({ id: 'b' })])
  const [, before] = lines.all()
  expect(lines.accept({ services: [{ ...state, decision: 'DOWN', timestamp: 11 }] })).toBe(true)
  expect(lines.all()[0]).toEqual(line({ decision: 'DOWN', timestamp: 11 }))
  expect(lines.all()[1]).toBe(before)
})

test('what is said again changes nothing, and an older word is older than it', () => {
  const lines = createServiceSummaries()
  lines.load([line()])
  const [before] = lines.all()
  expect(lines.accept({ services: [{ ...state, timestamp: 20 }] })).toBe(false)
  expect(lines.accept({ services: [{ ...state, decision: 'DOWN', timestamp: 15 }] })).toBe(false)
  expect(lines.all()[0]).toBe(before)
})

test('an older word, and one about a service that is not in the list, change nothing', () => {
  const lines = createServiceSummaries()
  lines.load([line()])
  expect(lines.accept({ services: [{ ...state, decision: 'DOWN', timestamp: 9 }] })).toBe(false)
  expect(lines.accept({ services: [{ ...state, id: 'c', timestamp: 99 }] })).toBe(false)
  expect(lines.all()).toEqual([line()])
})

test('a list that was made before the newest event does not take it back; services that are gone are gone', () => {
  const lines = createServiceSummaries()
  lines.load([line(), line({ id: 'b' })])
  lines.accept({ services: [{ ...state, decision: 'DOWN', timestamp: 12 }] })
  lines.load([line({ name: 'Renamed' })])
  expect(lines.all()).toEqual([line({ name: 'Renamed', decision: 'DOWN', timestamp: 12 })])
  lines.load([line({ decision: 'LATENCY', timestamp: 13 })])
  expect(lines.all()[0]?.decision).toBe('LATENCY')
})

test('lines stand by name, whatever changes', () => {
  const lines = createServiceSummaries()
  lines.load([line({ name: 'Node 10' }), line({ id: 'b', name: 'node 2' })])
  lines.accept({ services: [{ ...state, decision: 'DOWN', timestamp: 12 }] })
  expect(lines.all().map(({ name }) => name)).toEqual(['node 2', 'Node 10'])
})
