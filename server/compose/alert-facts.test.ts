import { expect, test } from 'bun:test'

import type { AuditEvent, AuditQuery } from '../../shared/audit.ts'
import { dayMs, hourMs } from '../../shared/durations.ts'
import { createAlertFacts } from './alert-facts.ts'

const now = Date.UTC(2026, 0, 10)
const operator = { id: 'acc_1', identities: [{ label: 'ann', subject: '1' }] }

const nobody = () => []
const nothing = () => Promise.resolve([])

type Sources = Parameters<ReturnType<typeof createAlertFacts>['connect']>[0]

/** Sources in which nothing is the matter but what the audit log says of one operator. */
function factsOf(events: readonly Partial<AuditEvent>[], isStoreReady = true) {
  const facts = createAlertFacts({ verifiers: { list: nobody } }, () => now)
  const list = ({ action, from = 0, limit }: AuditQuery) => {
    const found = events.filter((event) => event.action === action && (event.at ?? 0) >= from)
    return Promise.resolve({ events: found.slice(0, limit), nextCursor: null })
  }
  facts.connect({
    accounts: { operators: () => Promise.resolve([operator]), namesOf: () => Promise.resolve(new Map()) },
    apiKeys: { ending: nothing },
    queryKeys: { ending: nothing, usedLimits: nothing },
    connections: { toolServers: { list: nothing }, changedConnections: nothing },
    audit: { list },
    limits: { isStoreReady: () => isStoreReady, storeFailure: () => null },
    usage: { failingSince: () => ({ writing: null, rollingUp: null }) },
  } as unknown as Sources)
  return facts.facts([])
}

const signIn = (ip: string, at: number) => ({ action: 'account.sign_in', ip, at })

test('an operator who signs in from a network that is new for the account is told of, the first sign-in is not', async () => {
  const known = [signIn('192.0.2.7', now - 9 * dayMs)]
  const events = async (...fresh: Partial<AuditEvent>[]) =>
    (await factsOf([...fresh, ...known])).accountEvents
  expect((await factsOf([signIn('192.0.2.7', now - hourMs)])).accountEvents).toEqual([])
  expect(await events(signIn('192.0.2.200', now - hourMs))).toEqual([])
  const elsewhere = signIn('198.51.100.1', now - hourMs)
  const expected = [
    { id: 'acc_1', name: 'ann', kind: 'new place', at: now - hourMs, network: '198.51.100.0/24' },
  ]
  expect(await events(signIn('198.51.100.9', now), elsewhere)).toMatchObject(expected)
  expect(await events(signIn('198.51.100.1', now - 2 * dayMs))).toEqual([])
})

test('an account that was made an operator is told of, and not the one that opened the setup link', async () => {
  const at = now - hourMs
  const claim = { action: 'operator.claim', at } as const
  expect((await factsOf([claim])).accountEvents).toEqual([])
  const role = { action: 'account.role', at } as const
  expect((await factsOf([role])).accountEvents).toMatchObject([{ id: 'acc_1', kind: 'new operator', at }])
  expect((await factsOf([{ ...role, at: now - 2 * dayMs }])).accountEvents).toEqual([])
})

test('a store of the limits that is away is a trouble of this installation', async () => {
  expect((await factsOf([])).troubles).toEqual([])
  expect((await factsOf([], false)).troubles).toMatchObject([{ kind: 'limits', since: now }])
})
