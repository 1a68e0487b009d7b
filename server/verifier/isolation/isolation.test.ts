import { expect, test } from 'bun:test'

import { type IsolationEvidence, type ProbeSummary, isolationCause } from './isolation.ts'

const isIsolated = (evidence: IsolationEvidence): boolean => isolationCause(evidence) !== null

const up: ProbeSummary = {
  chain: 'a',
  provider: 'p',
  host: 'node.example',
  failedByTransport: false,
  probedAt: 0,
  lostAt: null,
  failingSince: null,
}
const down: ProbeSummary = { ...up, failedByTransport: true, failingSince: 0 }

const alone = {
  gatewayAnswers: null,
  internetAnswers: null,
  twoRoundsMs: 20_000,
  isSilent: false,
  witnesses: [],
} as const

/** Failed probes of services that have answered, spread over so many chains and providers, and probes that were answered. */
const world = (failed: number, chains: number, providers: number, answered: number): ProbeSummary[] => [
  ...Array.from({ length: failed }, (_, index) => ({
    chain: `chain ${index % chains}`,
    provider: `provider ${index % providers}`,
    host: 'node.example',
    failedByTransport: true,
    probedAt: 0,
    lostAt: 0,
    failingSince: 0,
  })),
  ...Array.from({ length: answered }, () => up),
]

const chainless = (failed: number, providers: number): ProbeSummary[] =>
  Array.from({ length: failed }, (_, index) => ({
    chain: null,
    provider: `provider ${index % providers}`,
    host: 'node.example',
    failedByTransport: true,
    probedAt: 0,
    lostAt: null,
    failingSince: 0,
  }))

test.each([
  ['all answer', true, [true, true, true], false],
  ['one canary is silent', true, [false, true, true], false],
  ['half are silent', true, [false, false, true], false],
  ['the server is on the same network, the world is gone', true, [false, false, false], true],
  ['only the server is silent', false, [true, true, true], false],
  ['the server and most canaries are silent', false, [false, false, true], true],
  ['everything is silent', false, [false, false, false], true],
  ['the server is in this process, and the only canary is silent', null, [false], true],
  ['the server is in this process, and one of two canaries answers', null, [false, true], false],
])('canaries: %s', (_, serverAnswers, canaries, expected) => {
  expect(isIsolated({ ...alone, serverAnswers, canaries, probes: [up, down] })).toBe(expected)
})

test.each([
  ['the server is in this process', null, [down, down], false],
  ['the server is silent, a service answers', false, [down, up], false],
  ['the server is silent, and so is every service', false, [down, down], true],
])('without canary hosts: %s', (_, serverAnswers, probes, expected) => {
  expect(isIsolated({ ...alone, serverAnswers, canaries: [], probes })).toBe(expected)
})

test.each([
  ['80 % over 3 chains and 5 providers', world(15, 3, 5, 3), true],
  ['exactly 80 %', world(16, 3, 5, 4), true],
  ['just below 80 %', world(15, 3, 5, 4), false],
  ['all, but 2 chains', world(20, 2, 5, 0), false],
  ['all, but 4 providers', world(20, 3, 4, 0), false],
  ['everything is fine', world(0, 1, 1, 20), false],
  ['nothing was probed', [], false],
  ['services without a chain are no chain', chainless(20, 5), false],
])('probes: %s', (_, probes, expected) => {
  expect(isIsolated({ ...alone, serverAnswers: true, canaries: [true], probes })).toBe(expected)
})

const lost = (count: number, hosts: number, lostAt: (index: number) => number | null): ProbeSummary[] =>
  Array.from({ length: count }, (_, index) => ({
    ...down,
    host: `host-${index % hosts}.example`,
    lostAt: lostAt(index),
  }))
const answering = (count: number): ProbeSummary[] => Array.from({ length: count }, () => up)
const atOnce = () => 100_000

test.each([
  ['five services of three hosts', lost(5, 3, atOnce), true],
  ['within two rounds', lost(5, 3, (index) => 100_000 + index * 5_000), true],
  ['one after the other', lost(5, 3, (index) => 100_000 + index * 5_001), false],
  ['four services', lost(4, 4, atOnce), false],
  ['five services of two hosts', lost(5, 2, atOnce), false],
  ['eight of ten', [...lost(8, 3, atOnce), ...answering(2)], true],
  ['seven of ten', [...lost(7, 3, atOnce), ...answering(3)], false],
  ['five that never answered', lost(5, 3, () => null), false],
  ['all but those that were down for long', [...lost(5, 3, atOnce), ...lost(5, 3, () => 1_000)], true],
])('lost at once: %s: %p', (_, probes, expected) => {
  expect(isIsolated({ ...alone, serverAnswers: true, canaries: [], probes })).toBe(expected)
})

const witnesses = (...answers: (boolean | null)[]) =>
  answers.map((one, index) => ({ host: `witness-${index}.example`, answers: one }))

test.each([
  ['three are silent', witnesses(false, false, false), true],
  ['one of four has not been probed yet', witnesses(false, false, false, null), false],
  ['one answers', witnesses(false, false, true), false],
  ['there are two only', witnesses(false, false), false],
  ['nobody is asked', witnesses(), false],
])('witnesses: %s', (_, asked, expected) => {
  const evidence = { ...alone, serverAnswers: true, canaries: [true], probes: [down, up, up, up] }
  expect(isIsolated({ ...evidence, witnesses: asked })).toBe(expected)
})

test('where the gateway is gone, it is enough that nothing remote has answered since the first loss', () => {
  const evidence = { ...alone, gatewayAnswers: false, serverAnswers: true, canaries: [] }
  expect(isIsolated({ ...evidence, probes: [down, up], isSilent: true })).toBe(true)
  expect(isIsolated({ ...evidence, probes: [down, up], isSilent: false })).toBe(false)
  expect(isIsolated({ ...evidence, probes: [{ ...down, host: '127.0.0.1' }, up], isSilent: true })).toBe(
    false,
  )
  expect(isIsolated({ ...evidence, gatewayAnswers: true, probes: [down, up], isSilent: true })).toBe(false)
})

const local = { ...down, host: '127.0.0.1' }
test.each([
  ['it is gone with all services, of which there is one chain and two providers', false, [down, down], true],
  ['it is gone, and a service answers', false, [down, up], false],
  ['it is there', true, [down, down], false],
  ['it has never answered', null, [down, down], false],
  ['it is gone, and the services are on this machine', false, [local, local], false],
  [
    'it is gone, and so is the only service that is not on this machine',
    false,
    [{ ...local, failedByTransport: false }, down],
    true,
  ],
])('the gateway: %s', (_, gatewayAnswers, probes, expected) => {
  expect(isIsolated({ ...alone, gatewayAnswers, serverAnswers: true, canaries: [], probes })).toBe(expected)
})

const onLan = { ...down, host: '10.0.0.5' }
test.each([
  ['it is gone with all services', false, [down, down], true],
  ['one of its services answers', false, [down, up], false],
  ['it is there, and all services are dead', true, [down, down], false],
  ['nobody knows whether it was ever there', null, [down, down], false],
  ['the own network alone is watched, and fails', false, [onLan, onLan], false],
  ['most services are of the own network, and answer', false, [down, ...services(2, '10.0.0.5')], false],
  ['most services are on the Internet', false, [down, down, ...services(1, '10.0.0.5')], true],
])('the Internet behind the gateway: %s', (_, internetAnswers, probes, expected) => {
  const evidence = { ...alone, gatewayAnswers: true, internetAnswers, serverAnswers: true, canaries: [] }
  expect(isIsolated({ ...evidence, probes })).toBe(expected)
})

const answeredAt = (probedAt: number, host = up.host) => ({ ...up, host, probedAt })

test('where the Internet is gone, it is enough that no service on it has answered since the newest loss', () => {
  const evidence = {
    ...alone,
    gatewayAnswers: true,
    internetAnswers: false,
    serverAnswers: true,
    canaries: [],
  }
  const lostAt10 = { ...down, probedAt: 9_000, lostAt: 10_000 }
  expect(isIsolated({ ...evidence, probes: [lostAt10, answeredAt(9_500)] })).toBe(true)
  expect(isIsolated({ ...evidence, probes: [lostAt10, answeredAt(10_500)] })).toBe(false)
  expect(isIsolated({ ...evidence, probes: [lostAt10, answeredAt(10_500, '10.0.0.5')] })).toBe(true)
  expect(isIsolated({ ...evidence, internetAnswers: true, probes: [lostAt10, answeredAt(9_500)] })).toBe(
    false,
  )
})

function services(count: number, host: string): ProbeSummary[] {
  return Array.from({ length: count }, () => ({ ...up, host }))
}

/** Fifteen services of three chains and five providers that have failed from `since` on, without any answer before. */
const neverThere = (since: number, host = 'node.example'): ProbeSummary[] =>
  world(15, 3, 5, 0).map((probe) => ({
    ...probe,
    host,
    probedAt: 100_000,
    lostAt: null,
    failingSince: since,
  }))

const upAt = (probedAt: number, host = 'node.example'): ProbeSummary => ({ ...up, host, probedAt })

test.each([
  ['nothing shows that the network is there', {}, neverThere(1_000), true],
  ['a service on the Internet answers', {}, [...neverThere(1_000), upAt(99_000)], false],
  ['a service answered before the first of them failed', {}, [...neverThere(1_000), upAt(900)], true],
  ['a service of the own network answers', {}, [...neverThere(1_000), upAt(99_000, '10.0.0.1')], true],
  ['a service of this machine answers', {}, [...neverThere(1_000), upAt(99_000, '127.0.0.1')], true],
  ['a canary on the Internet answers', { internetAnswers: true }, neverThere(1_000), false],
  ['the configured canaries answer', { canaries: [true, true] }, neverThere(1_000), false],
  ['the gateway answers', { gatewayAnswers: true }, neverThere(1_000), true],
  [
    'the gateway answers, and they are in its network',
    { gatewayAnswers: true },
    neverThere(1_000, '10.0.0.1'),
    false,
  ],
  [
    'the gateway is silent, a canary answers',
    { gatewayAnswers: false, internetAnswers: true },
    neverThere(1_000),
    false,
  ],
  ['the canaries have fallen silent', { internetAnswers: false }, neverThere(1_000), true],
])('services that have never answered: %s', (_, more, probes, expected) => {
  expect(isIsolated({ ...alone, serverAnswers: null, canaries: [], ...more, probes })).toBe(expected)
})
