import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'

import { UpstreamChange, UpstreamSpec } from '../../shared/endpoints.ts'
import type { UpstreamListItem } from '../../shared/endpoints.ts'
import {
  draftName,
  newUpstream,
  storedUpstream,
  upstreamChange,
  upstreamErrors,
  upstreamSpec,
  withMoved,
} from './upstream-draft.ts'
import type { UpstreamDraft } from './upstream-draft.ts'

const stored: UpstreamListItem = {
  id: 'upstream-2',
  serviceId: null,
  host: 'node-b.example.com',
  webSocketHost: 'ws.example.com',
  headerNames: ['x-api-key', 'x-team'],
  weight: 3,
  decision: null,
  tier: 0,
  budget: null,
  compression: null,
  budgetUse: null,
  outBecause: null,
}
const service: UpstreamListItem = {
  ...stored,
  id: 'node-a',
  serviceId: 'node-a',
  webSocketHost: null,
  weight: 1,
}

const typed = (change: Partial<UpstreamDraft>): UpstreamDraft => ({ ...newUpstream('new-1'), ...change })
const edited = (line: UpstreamListItem, change: Partial<UpstreamDraft> = {}): UpstreamDraft => ({
  ...storedUpstream(line),
  ...change,
})

describe('a new upstream', () => {
  test('is a service, or an address with headers', () => {
    expect(upstreamSpec(typed({ service: 'node-a', weight: '2' }))).toEqual({ service: 'node-a', weight: 2 })
    const draft = typed({
      source: 'address',
      url: ' https://node.example.com/key ',
      ws: 'wss://node.example.com',
      headers: [
        { name: 'x-api-key', value: 'secret', isStored: false },
        { name: '', value: '', isStored: false },
      ],
    })
    expect(UpstreamSpec.parse(upstreamSpec(draft))).toEqual({
      url: 'https://node.example.com/key',
      ws: 'wss://node.example.com',
      headers: { 'x-api-key': 'secret' },
      weight: 1,
    })
  })

  test.each([
    ['auto', null, undefined],
    ['on', true, true],
    ['off', false, false],
  ] as const)('is asked for compressed answers: %s', (compression, isStored, given) => {
    expect(upstreamSpec(typed({ service: 'a', compression })).compression).toBe(given)
    const line = { ...stored, compression: isStored }
    expect(storedUpstream(line).compression).toBe(compression)
    expect(upstreamChange(edited(line)).compression).toBe(given)
  })

  test('needs one of them, and a whole weight', () => {
    expect(upstreamErrors(typed({}))).toEqual({ service: 'Choose a service.' })
    expect(upstreamErrors(typed({ source: 'address' }))).toEqual({ url: 'Required.' })
    expect(Object.keys(upstreamErrors(typed({ service: 'a', weight: '1.5' })))).toEqual(['weight'])
    expect(Object.keys(upstreamErrors(typed({ service: 'a', weight: '0' })))).toEqual(['weight'])
  })
})

describe('a stored upstream', () => {
  test('stays as it is as far as nothing is typed', () => {
    expect(upstreamErrors(edited(stored))).toEqual({})
    expect(upstreamChange(edited(stored))).toEqual({ keep: 'upstream-2', weight: 3 })
    expect(upstreamChange(edited(service))).toEqual({ keep: 'node-a', weight: 1 })
  })

  test('takes a new address, loses a header, forgets its WebSocket address', () => {
    const draft = edited(stored, {
      url: 'https://node-b.example.com/other',
      forgetsWs: true,
      headers: [{ name: 'x-api-key', value: 'new', isStored: true }],
    })
    expect(UpstreamChange.parse(upstreamChange(draft))).toEqual({
      keep: 'upstream-2',
      url: 'https://node-b.example.com/other',
      ws: null,
      headers: { 'x-api-key': 'new', 'x-team': null },
      weight: 3,
    })
  })

  test('that moves to another host needs its headers again: nobody gets one by having it sent elsewhere', () => {
    const moves = [{ url: 'https://evil.example.net' }, { ws: 'wss://evil.example.net' }]
    for (const move of moves) expect(Object.keys(upstreamErrors(edited(stored, move)))).toEqual(['headers'])
    const headers = [{ name: 'x-api-key', value: 'again', isStored: true }]
    expect(upstreamErrors(edited(stored, { url: 'https://evil.example.net', headers }))).toEqual({})
  })

  test('that becomes something else is a new one', () => {
    expect(upstreamChange(edited(stored, { source: 'service', service: 'node-a' }))).toEqual({
      service: 'node-a',
      weight: 3,
    })
    expect(upstreamChange(edited(service, { service: 'node-c' }))).toEqual({ service: 'node-c', weight: 1 })
    expect(upstreamErrors(edited(service, { source: 'address' }))).toEqual({ url: 'Required.' })
  })
})

test('is called by its service or its host', () => {
  expect(draftName(edited(service))).toBe('node-a')
  expect(draftName(edited(stored))).toBe('node-b.example.com')
  expect(draftName(edited(stored, { url: 'https://c.example.com:8545/key' }))).toBe('c.example.com:8545')
  expect(draftName(typed({ source: 'address', url: 'c' }))).toBe('')
})

test('moving keeps all of them, and the order of the others', () => {
  const place = fc.nat({ max: 9 })
  fc.assert(
    fc.property(place, place, (from, to) => {
      const items = Array.from({ length: 10 }, (_, index) => index)
      const moved = withMoved(items, from, to)
      expect(moved[to]).toBe(from)
      expect(moved.filter((item) => item !== from)).toEqual(items.filter((item) => item !== from))
    }),
  )
  expect(withMoved(['a', 'b'], 0, -1)).toEqual(['a', 'b'])
})
