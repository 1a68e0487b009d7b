import { describe, expect, test } from 'bun:test'

import { createCatalogue } from '../services/catalogue.ts'
import type { Service } from '../services/service.ts'
import { findTestChain, httpServiceOf, serviceOf, testChain, verifierOf } from '../test-support/fixtures.ts'
import { createVirtualClock, someInstant } from '../test-support/virtual-clock.ts'
import { createAssignmentSource } from './assignments.ts'
import { createActiveVerifiers } from './active-verifiers.ts'

/** Longer than any test may take: whoever waits that long was not woken. */
const patience = 60_000

function setUp(
  services: readonly Service[],
  { waitMs = patience, canaries = [] as string[], defaultCanaries = false } = {},
) {
  const catalogue = createCatalogue()
  for (const service of services) catalogue.put(service)
  const activeVerifiers = createActiveVerifiers()
  const verifier = activeVerifiers.put(verifierOf('all'))
  const { isRevoked } = activeVerifiers
  const clock = createVirtualClock()
  const findChain = findTestChain
  const book = createAssignmentSource({
    catalogue,
    findChain,
    canaries: () => ({ canaries, defaultCanaries }),
    isRevoked,
    clock,
    waitMs,
  })
  return { catalogue, activeVerifiers, verifier, book, canaries, clock }
}

const never = new AbortController().signal
const a = serviceOf('a', { headers: { authorization: 'secret' } })
const b = httpServiceOf('b', { rule: { method: 'GET', statuses: [200] } })
const anchor = serviceOf('anchor:testnet:0', {}, true)

describe('what a verifier is told', () => {
  test('each service that it can probe, with what probing it takes, and the chains of these', () => {
    const { book, verifier } = setUp([b, a, anchor], { canaries: ['one.example'] })
    const { targets, chains, canaries, serverTimeMs } = book.read(verifier).assignments
    expect(targets.map(({ serviceId, hidden, chain }) => [serviceId, hidden, chain])).toEqual([
      ['a', false, 'testnet'],
      ['anchor:testnet:0', true, 'testnet'],
      ['b', false, null],
    ])
    expect(targets[0]).toMatchObject({ headers: { authorization: 'secret' }, policy: { intervalMs: 10_000 } })
    expect(targets[1]).not.toContainKey('headers')
    expect(targets[2]?.rule).toMatchObject({ method: 'GET' })
    expect(chains).toEqual([testChain()])
    expect(canaries).toEqual(['one.example'])
    expect(serverTimeMs).toBe(someInstant)
  })

  test('nothing of families that it cannot probe', () => {
    const { book, activeVerifiers } = setUp([a, b])
    const limited = activeVerifiers.put(verifierOf('limited', { families: ['http'] }))
    expect(book.read(limited).assignments.targets.map(({ serviceId }) => serviceId)).toEqual(['b'])
    expect(book.read(limited).assignments.chains).toEqual([])
  })

  test('the same as JSON, with the time of each reading', () => {
    const { book, clock, verifier } = setUp([a, b])
    const before = book.read(verifier)
    clock.advance(1_000)
    const after = book.read(verifier)
    expect(JSON.parse(before.json)).toEqual(before.assignments)
    expect(JSON.parse(after.json)).toEqual({ ...before.assignments, serverTimeMs: someInstant + 1_000 })
  })
})

describe('the etag', () => {
  test('does not depend on the order of services or of families', () => {
    const one = setUp([a, b, anchor])
    const other = setUp([anchor, b, a])
    const families = one.verifier.verifier.families.toReversed()
    const reversed = one.activeVerifiers.put(verifierOf('reversed', { families }))
    expect(other.book.etag(other.verifier)).toBe(one.book.etag(one.verifier))
    expect(one.book.etag(reversed)).toBe(one.book.etag(one.verifier))
  })

  test('changes with everything that is told', () => {
    const { book, catalogue, verifier, canaries } = setUp([a])
    const etags = new Set([book.etag(verifier)])
    const changes: (() => void)[] = [
      () => catalogue.put(b),
      () => catalogue.put(serviceOf('a', { policy: { intervalMs: 1_000 } })),
      () => catalogue.put(serviceOf('a', { endpoint: 'https://elsewhere.example/' })),
      () => catalogue.remove('a'),
      () => canaries.push('new.example'),
    ]
    for (const change of changes) {
      change()
      book.changed()
      etags.add(book.etag(verifier))
    }
    expect(etags.size).toBe(changes.length + 1)
  })
})

describe('waiting for a change', () => {
  test('is over at once when the etag is not that of today', async () => {
    const { book, verifier } = setUp([a])
    expect((await book.waitForChange(verifier, '', never))?.assignments.targets).toHaveLength(1)
  })

  test('ends with the change, not before', async () => {
    const { book, catalogue, verifier } = setUp([a])
    const waiting = book.waitForChange(verifier, book.etag(verifier), never)
    book.changed() // nothing has changed for this verifier
    await Promise.resolve()
    catalogue.put(b)
    book.changed()
    expect((await waiting)?.assignments.targets).toHaveLength(2)
  })

  test('wakes everybody who waits', async () => {
    const { book, catalogue, verifier } = setUp([a])
    const waiting = Array.from({ length: 50 }, () => book.waitForChange(verifier, book.etag(verifier), never))
    catalogue.put(b)
    book.changed()
    const answers = await Promise.all(waiting)
    expect(answers.every((answer) => answer?.assignments.targets.length === 2)).toBe(true)
  })

  test('ends without one after a while', async () => {
    const { book, verifier } = setUp([a], { waitMs: 5 })
    expect(await book.waitForChange(verifier, book.etag(verifier), never)).toBeNull()
  })

  test('ends when the caller has gone', async () => {
    const { book, verifier } = setUp([a])
    const caller = new AbortController()
    const waiting = book.waitForChange(verifier, book.etag(verifier), caller.signal)
    caller.abort()
    expect(await waiting).toBeNull()
  })

  test('ends when the server stops, for those who come later too', async () => {
    const { book, verifier } = setUp([a])
    const waiting = book.waitForChange(verifier, book.etag(verifier), never)
    book.close()
    expect(await waiting).toBeNull()
    expect(await book.waitForChange(verifier, book.etag(verifier), never)).toBeNull()
  })

  test('ends at once for a verifier that is revoked', async () => {
    const { book, activeVerifiers, verifier } = setUp([a])
    const waiting = book.waitForChange(verifier, book.etag(verifier), never)
    activeVerifiers.revoke(verifier.verifier.id)
    book.changed()
    expect(await waiting).toBeNull()
  })
})
