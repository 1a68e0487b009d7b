import { describe, expect, test } from 'bun:test'

import { dayMs } from '../../../shared/durations.ts'
import { ServiceDetails } from '../../../shared/health-details.ts'
import type { ServiceFacts } from '../../../shared/service-facts.ts'
import type { ChainView } from './chain-view.ts'
import { createChainView } from './chain-view.ts'
import { initial } from '../decide/state-machine.ts'
import type { Report } from '../decide/vote.ts'
import { detailsOf } from './details.ts'
import type { DetailsInput } from './details.ts'
import { decisionReason, evidenceOf, limitedText } from './evidence.ts'
import { serviceOf, testChain, verifierOf } from '../test-support/fixtures.ts'
import { someInstant as now } from '../test-support/virtual-clock.ts'
import { createActiveVerifiers } from '../verifiers/active-verifiers.ts'

const service = serviceOf('a')
const activeVerifiers = createActiveVerifiers()
for (const id of ['v0', 'v1', 'v2']) activeVerifiers.put(verifierOf(id, { region: `region of ${id}` }))

const report = (verifierId: string, changes: Partial<Report> = {}): Report => ({
  verifierId,
  at: now - 1_500,
  ok: true,
  error: null,
  lagBlocks: 0,
  lagSec: 0,
  rttMs: 12.6,
  ...changes,
})
const down = { ok: false, error: 'TIMEOUT' } as const
const lag = { lagBlocks: 31 }

describe('evidence', () => {
  const evidence = evidenceOf(
    [report('v0'), report('v1', lag), report('v2', down)],
    service.policy,
    'UP',
    now,
  )

  test('is every vote with its reason and its age, the worst first', () => {
    expect(evidence.map(({ verifierId, vote, reason }) => [verifierId, vote, reason])).toEqual([
      ['v2', 'BAD', 'TIMEOUT'],
      ['v1', 'LAG', 'BLOCKS_BEHIND'],
      ['v0', 'OK', null],
    ])
    expect(evidence[2]).toMatchObject({ ageMs: 1_500, rttMs: 13 })
  })

  test('counts as it did: thresholds are halved while the service recovers', () => {
    const [vote] = evidenceOf([report('v0', { lagBlocks: 16 })], service.policy, 'LATENCY', now)
    expect(vote).toMatchObject({ vote: 'LAG', reason: 'BLOCKS_BEHIND' })
  })

  test.each([
    ['UP', 3, '1 of 3 say OK'],
    ['LATENCY', 3, '1 of 3 say LAG: BLOCKS_BEHIND'],
    ['DOWN', 3, '1 of 3 say BAD: TIMEOUT'],
    ['UNKNOWN', 1, 'no quorum: 1 live'],
  ] as const)('in one sentence for %s', (to, live, sentence) => {
    expect(decisionReason(to, evidence, live)).toBe(sentence)
  })

  test('of a hundred verifiers is counted in full', () => {
    const reports = Array.from({ length: 100 }, (_, index) => report(`x${index}`, index < 40 ? down : {}))
    expect(decisionReason('UP', evidenceOf(reports, service.policy, 'UP', now), 100)).toBe('60 of 100 say OK')
  })

  test.each([
    [[], ''],
    [[now - 40_000, now - 90_000, null], '; limited, last good answer 40 s ago'],
    [[null], '; limited, no good answer yet'],
  ])('says since when verifiers are limited: %p', (goodAts, text) => {
    expect(limitedText(goodAts, now)).toBe(text)
  })

  test('of a service whose last probes contradict each other says so', () => {
    const votes = (['lag', 'bad'] as const).map((inconsistent) => report('v0', { inconsistent }))
    expect(evidenceOf(votes, service.policy, 'UP', now).map(({ vote, reason }) => [vote, reason])).toEqual([
      ['BAD', 'INCONSISTENT'],
      ['LAG', 'INCONSISTENT'],
    ])
  })

  test('names each reason once', () => {
    const reports = [report('v0', down), report('v1', down), report('v2', { ok: false, error: 'DNS' })]
    expect(decisionReason('DOWN', evidenceOf(reports, service.policy, 'UP', now), 3)).toBe(
      '3 of 3 say BAD: TIMEOUT, DNS',
    )
  })
})

const read = (changes: Partial<DetailsInput> = {}) =>
  ServiceDetails.parse(
    detailsOf({
      service,
      published: 'UP',
      state: { ...initial(now - 60_000), published: 'UP' },
      pending: null,
      reports: ['v0', 'v1', 'v2'].map((id) => report(id)),
      limited: [],
      tries: { count: 30, failed: 0, behind: 0 },
      assigned: 3,
      view: null,
      heads: [],
      isInMaintenance: false,
      facts: null,
      findVerifier: activeVerifiers.find,
      now,
      ...changes,
    }),
  )

const headOf = (verifierId: string, height: number, at: number) => ({
  serviceId: 'a',
  provider: 'p',
  verifierId,
  at,
  height,
  timestamp: now / 1_000,
})

test('its head is the newest that any verifier saw that counts', () => {
  const heads = [headOf('v0', 900, now - 9_000), headOf('v1', 903, now - 1_000), headOf('gone', 999, now)]
  expect(read({ heads }).head).toEqual({ height: 903, timestamp: now / 1_000, ageMs: 1_000 })
  expect(read().head).toBeNull()
})

function viewOf(providers: number): ChainView {
  const view = createChainView(testChain())
  const heads = Array.from({ length: providers }, (_, index) => ({
    serviceId: `s${index}`,
    provider: `p${index}`,
    verifierId: 'v0',
    at: now,
    height: 1_000,
    timestamp: now / 1_000,
  }))
  view.takeRound('v0', now, heads, { enterBlocks: 5, freshMs: 30_000 })
  return view
}

test('how far apart two providers are is told to both, for as long as it is seen', () => {
  const view = createChainView(testChain())
  const behind = { ...headOf('v0', 900, now), timestamp: now / 1_000 - 60 }
  const round = [behind, { ...headOf('v0', 913, now), serviceId: 'b', provider: 'q' }]
  const thresholds = { enterBlocks: 5, freshMs: 30_000 }
  view.takeRound('v0', now, round, thresholds)
  view.comparePeers('v0', now, round, thresholds)
  const since = now / 1_000
  const [lower, higher] = [serviceOf('a', { provider: 'p' }), serviceOf('b', { provider: 'q' })]
  expect(read({ view, service: lower }).gap).toEqual({ blocks: 13, isBehind: true, since })
  expect(read({ view, service: higher }).gap).toEqual({ blocks: 13, isBehind: false, since })
  expect(read({ view, now: now + 60_000 }).gap).toBeNull()
  expect(read({ view: viewOf(3) }).gap).toBeNull()
})

describe('details', () => {
  test('say what holds since when, and why', () => {
    expect(read()).toMatchObject({
      serviceId: 'a',
      decision: 'UP',
      since: (now - 60_000) / 1_000,
      reason: '3 of 3 say OK',
      quorum: { assigned: 3, needed: 2 },
      expected: 3,
      reference: null,
      advisories: [],
    })
    expect(read().votes[0]).toMatchObject({ verifierId: 'v0', region: 'region of v0', counts: true })
  })

  test('never say that more verifiers report than are expected, although newcomers are not assigned yet', () => {
    for (const id of ['n0', 'n1']) activeVerifiers.put(verifierOf(id)).joinedAt = now - 2_000
    const reports = ['v0', 'n0', 'n1'].map((id) => report(id))
    const { expected, quorum, votes } = read({ assigned: 1, reports })
    expect({ expected, quorum, votes: votes.length }).toEqual({
      expected: 3,
      quorum: { assigned: 1, needed: 1 },
      votes: 3,
    })
    expect(read({ assigned: 2, reports }).expected).toBe(4) // one that is assigned does not report
  })

  test('show the vote of an ejected verifier, which counts neither for the decision nor as live', () => {
    const entry = activeVerifiers.find('v2')
    if (entry) entry.isEjected = true
    const { votes, reason } = read({ reports: [report('v0'), report('v1'), report('v2', down)] })
    expect(votes.map(({ verifierId, counts }) => [verifierId, counts])).toEqual([
      ['v2', false],
      ['v0', true],
      ['v1', true],
    ])
    expect(reason).toBe('2 of 2 say OK')
    expect(read({ published: 'UNKNOWN', reports: [report('v0'), report('v2')] }).reason).toBe(
      'no quorum: 1 live',
    )
    if (entry) entry.isEjected = false
  })

  test('say what a recovery waits for', () => {
    const pending = { to: 'UP', since: now - 12_400, heldMs: 12_400, neededMs: 30_000 } as const
    expect(read({ published: 'DOWN', pending })).toMatchObject({
      decision: 'DOWN',
      reason: '3 of 3 say OK for 12 s of 30 s',
      pending: { decision: 'UP', heldSec: 12, neededSec: 30 },
    })
    const failing = ['v0', 'v1', 'v2'].map((id) => report(id, down))
    expect(
      read({ reports: failing, pending: { to: 'DOWN', since: now - 5_000, heldMs: 5_000, neededMs: 20_000 } })
        .reason,
    ).toBe('3 of 3 say BAD: TIMEOUT for 5 s of 20 s')
    const failures = { count: 2, needed: 4 }
    expect(
      read({
        reports: failing,
        pending: { to: 'DOWN', since: now - 1_500, heldMs: 1_500, neededMs: 2_900, failures },
      }),
    ).toMatchObject({
      reason: '3 of 3 say BAD: TIMEOUT for 1 s of 3 s, 2 of 4 failures in a row',
      pending: { decision: 'DOWN', heldSec: 1, neededSec: 3, failures },
    })
  })

  test('of a service that was never judged', () => {
    const details = read({ published: 'UNKNOWN', state: null, reports: [] })
    expect(details).toMatchObject({ since: now / 1_000, votes: [], reason: 'no quorum: 0 live' })
  })

  test('never hold an endpoint or a header', () => {
    const secret = serviceOf('a', {
      endpoint: 'https://user:hunter2@node.example/',
      headers: { key: 'hunter3' },
    })
    expect(JSON.stringify(read({ service: secret }))).not.toContain('hunter')
  })

  test('show the reference, and say when nobody corroborates it', () => {
    expect(read({ view: viewOf(3) })).toMatchObject({
      reference: { height: 1_000, providers: 3, corroborated: true },
      advisories: [],
    })
    expect(read({ view: viewOf(2) }).advisories).toEqual(['UNCORROBORATED'])
  })

  test('advise of a verifier that is silent beside the only other one', () => {
    expect(read({ assigned: 2, reports: [report('v0')] })).toMatchObject({
      decision: 'UP',
      quorum: { assigned: 2, needed: 1 },
      advisories: ['VERIFIER_SILENT'],
    })
    expect(read({ assigned: 2, reports: [report('v0'), report('v1')] }).advisories).toEqual([])
    expect(read({ assigned: 3, reports: [report('v0'), report('v1')] }).quorum.needed).toBe(2)
  })

  test('advise of an old head where sequencers pause', () => {
    const paused = createChainView(testChain({ headAge: 'idle' }))
    const heads = ['a', 'b', 'c'].map((id) => ({
      serviceId: id,
      provider: id,
      verifierId: 'v0',
      at: now,
      height: 1_000,
      timestamp: now / 1_000 - 121,
    }))
    paused.takeRound('v0', now, heads, { enterBlocks: 5, freshMs: 30_000 })
    expect(read({ view: paused }).advisories).toEqual(['HEAD_OLD'])
    expect(read({ view: paused, now: now - 2_000 }).advisories).toEqual([])
  })

  test('advise: maintenance, flapping, a chain that stands still', () => {
    const worsenings = [1, 2, 3].map((ago) => now - ago * 60_000)
    const flapping = { ...initial(now), published: 'UP' as const, worsenings }
    const stalled: ChainView = Object.create(viewOf(3), { isStalled: { value: true } })
    expect(read({ isInMaintenance: true, state: flapping, view: stalled }).advisories).toEqual([
      'FLAPPING',
      'CHAIN_STALLED',
      'MAINTENANCE',
    ])
  })
})

const found = (facts: ServiceFacts) => ({
  facts: { facts, at: now - 90_000, verifierIds: ['v0'], address: null },
})

test('facts advise, as labels and by what is soon to end', () => {
  const certificateExpiresAt = Math.floor((now + 10 * dayMs) / 1000)
  const details = read(found({ stateDepth: null, isSyncing: true, certificateExpiresAt }))
  expect(details).toMatchObject({ decision: 'UP', labels: ['archive'], facts: { certificateExpiresAt } })
  expect(details.factsAt).toBe(Math.floor((now - 90_000) / 1_000))
  expect(details.advisories).toEqual(['SYNCING', 'CERTIFICATE_EXPIRES'])
  expect(read(found({ certificateProblem: 'EXPIRED', certificateExpiresAt })).advisories).toEqual([
    'CERTIFICATE_REFUSED',
  ])
  expect(read(found({ certificateExpiresAt: certificateExpiresAt + 5 * 86_400 })).advisories).toEqual([])
})

test('what is declared wins over what was found, and a contradiction is advice', () => {
  const declaring = { service: serviceOf('a', { capabilities: { archive: true } }) }
  expect(read(declaring)).toMatchObject({ labels: ['archive'], declared: { archive: true }, advisories: [] })
  expect(read({ ...declaring, ...found({ stateDepth: null }) }).contradictions).toEqual([])
  expect(read({ ...declaring, ...found({ stateDepth: 128 }) })).toMatchObject({
    decision: 'UP',
    labels: ['archive'],
    contradictions: ['archive'],
    advisories: ['CAPABILITY_CONTRADICTED'],
  })
})
