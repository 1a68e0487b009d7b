import { describe, expect, test } from 'bun:test'

import type { ApiKeyView } from '../../shared/api-keys.ts'
import type { OperationView } from '../../shared/installation.ts'
import type { Seen } from '../../shared/verifier-state.ts'
import {
  approvalConcerns,
  consentConcerns,
  installationConcerns,
  keyConcerns,
  mostPressingFirst,
  refusalConcerns,
  reusedTokenConcerns,
  serviceConcerns,
  verifierConcerns,
} from './attention.ts'
import { dayMs } from '../../shared/durations.ts'

const now = 1_700_000_000_000

const apiKey = (changes: Partial<ApiKeyView>): ApiKeyView => ({
  id: 'key_1',
  name: 'Build server',
  permissions: [],
  allowedIps: [],
  allowedDomains: [],
  createdAt: 0,
  expiresAt: null,
  isEnabled: true,
  state: 'enabled',
  hint: 'gak_…abcd',
  lastUsedAt: now,
  previous: null,
  ...changes,
})

test('agents that were shut out concern their owner, and lead to their list', () => {
  expect(reusedTokenConcerns(0)).toEqual([])
  expect(reusedTokenConcerns(1)).toMatchObject([{ tone: 'bad', page: 'gateway', query: { tab: 'agents' } }])
  expect(reusedTokenConcerns(2)[0]?.text).toStartWith('2 agents were shut out')
})

test('connections whose owner is to agree concern them, and lead to their list', () => {
  const oauth = { issuerHost: null, scopes: [], lackedScopes: [], consentedAt: null }
  const good = { status: 'connected', oauth } as const
  expect(consentConcerns([good, { status: 'new', oauth: null }])).toEqual([])
  const lacking = { ...good, oauth: { ...oauth, lackedScopes: ['write'] } }
  const waiting = [good, { status: 'consent_needed', oauth } as const, lacking]
  expect(consentConcerns(waiting)).toMatchObject([
    { tone: 'warn', text: expect.stringMatching(/^2 connections wait/), query: { tab: 'connections' } },
  ])
})

describe('services', () => {
  test('that are UP concern nobody', () => {
    expect(serviceConcerns({ UP: 5, DOWN: 0, LATENCY: 0, UNKNOWN: 0 })).toEqual([])
  })

  test('concern by decision, the worst first, and lead to their list', () => {
    const concerns = serviceConcerns({ UP: 5, LATENCY: 1, UNKNOWN: 2, DOWN: 1_234 })
    expect(concerns.map(({ tone, text, query }) => [tone, text, query])).toEqual([
      ['bad', '1,234 services are DOWN', { decision: 'DOWN' }],
      ['warn', '2 services are UNKNOWN: too few verifiers report', { decision: 'UNKNOWN' }],
      ['warn', '1 service is behind or slow', { decision: 'LATENCY' }],
    ])
  })
})

test('accounts that wait for approval concern operators', () => {
  expect(approvalConcerns(0)).toEqual([])
  expect(approvalConcerns(2)).toMatchObject([
    { tone: 'warn', text: '2 accounts wait for your approval', page: 'accounts' },
  ])
})

test('a proxy that is not trusted concerns operators, with the setting that names it, and so does a wrong clock', () => {
  const operation: OperationView = {
    file: { path: 'gatehouse.yaml', exists: false, problems: [] },
    database: { kind: 'embedded', version: '18.1' },
    providers: [],
    unnamedProxy: null,
    backups: null,
    isClockWrong: false,
  }
  expect(installationConcerns(operation)).toEqual([])
  const unnamedProxy = { address: '10.0.0.7', setting: 'GATEHOUSE_TRUSTED_PROXIES=::1,10.0.0.7' }
  expect(installationConcerns({ ...operation, unnamedProxy })).toMatchObject([
    {
      tone: 'warn',
      page: 'settings',
      text: expect.stringContaining('set GATEHOUSE_TRUSTED_PROXIES=::1,10.0.0.7'),
    },
  ])
  expect(installationConcerns({ ...operation, isClockWrong: true })).toMatchObject([{ id: 'wrong-clock' }])
})

describe('API keys', () => {
  test('that are used and last concern nobody', () => {
    expect(keyConcerns('API', [apiKey({}), apiKey({ expiresAt: now + 15 * dayMs })], now)).toEqual([])
  })

  test('concern when they end soon, have ended, or were never used', () => {
    const keys = [
      apiKey({ expiresAt: now + 13 * dayMs }),
      apiKey({ expiresAt: now + dayMs, lastUsedAt: null }),
      apiKey({ expiresAt: now - dayMs, state: 'expired' }),
      apiKey({ expiresAt: now + dayMs, state: 'disabled' }),
    ]
    expect(keyConcerns('API', keys, now).map(({ text, page, query }) => [text, page, query])).toEqual([
      ['2 API keys expire within 14 days', 'apiKeys', { state: 'expiring' }],
      ['1 API key has expired', 'apiKeys', { state: 'expired' }],
      ['1 API key was never used', 'apiKeys', { state: 'unused' }],
    ])
    expect(keyConcerns('query', keys, now)[0]).toEqual({
      id: 'queryKeys-expiring',
      tone: 'warn',
      text: '2 query keys expire within 14 days',
      page: 'queryKeys',
      query: { state: 'expiring' },
    })
    const told = new Set(['key_1'])
    expect(keyConcerns('API', keys, now, told).map(({ id }) => id)).toEqual([
      'apiKeys-expired',
      'apiKeys-unused',
    ])
  })
})

const usage = (rateLimited: number, creditLimited: number) => ({
  requests: 9,
  credits: 9,
  ok: 9,
  errors: 0,
  rateLimited,
  creditLimited,
  bytesIn: 0,
  bytesOut: 0,
  p50Ms: null,
  p99Ms: null,
})

test('keys that reached a limit concern, and lead to them', () => {
  expect(refusalConcerns([usage(0, 0)])).toEqual([])
  const [concern] = refusalConcerns([usage(1, 0), usage(0, 0), usage(0, 7)])
  expect([concern?.text, concern?.page, concern?.query]).toEqual([
    '2 query keys reached a limit in the last 24 hours',
    'usage',
    { only: 'refused' },
  ])
})

const verifier = (changes: Partial<Seen> = {}): Seen & { id: string } => ({
  id: 'ver_1',
  lastSeenAt: now,
  silentAt: now + 30_000,
  isSetAside: false,
  isIsolated: false,
  isEjected: false,
  hasStaleView: false,
  ...changes,
})

describe('verifiers', () => {
  test('that report, or are new, concern nobody', () => {
    expect(verifierConcerns([verifier(), verifier({ lastSeenAt: null })], now)).toEqual([])
  })

  test('concern when their votes are missing or not to be trusted', () => {
    const verifiers = [
      verifier({ hasStaleView: true }),
      verifier({ silentAt: 1 }),
      verifier({ silentAt: 2, isIsolated: true }),
      verifier({ isIsolated: true }),
      verifier({ isEjected: true }),
    ]
    expect(verifierConcerns(verifiers, now).map(({ text, query }) => [text, query])).toEqual([
      ['2 verifiers are silent', { state: 'silent' }],
      ['1 verifier is cut off from its network', { state: 'isolated' }],
      ['1 verifier contradicts the others', { state: 'ejected' }],
      ['1 verifier is served old blocks', { state: 'stale' }],
    ])
    expect(verifierConcerns(verifiers, now, new Set(['ver_1'])).map(({ id }) => id)).toEqual([
      'verifiers-ejected',
      'verifiers-stale',
    ])
  })
})

test('what is broken comes before what may break', () => {
  const concerns = [
    ...serviceConcerns({ UP: 0, DOWN: 0, LATENCY: 1, UNKNOWN: 1 }),
    ...verifierConcerns([verifier({ silentAt: 1 })], now),
  ]
  expect(mostPressingFirst(concerns).map(({ id }) => id)).toEqual([
    'verifiers-silent',
    'services-UNKNOWN',
    'services-LATENCY',
  ])
})

test('a file that is refused stands before everything, with what is wrong first in it', () => {
  const problems = ['line 3: services[0].endpoint: an http or https address', 'line 9: chains: unknown']
  const operation: OperationView = {
    file: { path: 'gatehouse.yaml', exists: true, problems },
    database: { kind: 'embedded', version: '18.1' },
    providers: [],
    unnamedProxy: null,
    backups: { folder: 'b', everyHours: 1, lastAt: null, failure: 'full', isOld: false },
    isClockWrong: false,
  }
  const [down] = serviceConcerns({ UP: 0, DOWN: 1, LATENCY: 0, UNKNOWN: 0 })
  if (down === undefined) throw new TypeError('there is no concern')
  const [first] = mostPressingFirst([down, ...installationConcerns(operation)])
  expect(first).toMatchObject({
    tone: 'bad',
    page: 'settings',
    text: 'gatehouse.yaml is refused, so that its last good version stays active: line 3: services[0].endpoint: an http or https address, and 1 more',
  })
})
