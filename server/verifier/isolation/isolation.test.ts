import { expect, test } from 'bun:test'

import { type ProbeSummary, isIsolated } from './isolation.ts'

const up: ProbeSummary = { chain: 'a', provider: 'p', failedByTransport: false }
const down: ProbeSummary = { ...up, failedByTransport: true }

/** Failed probes spread over so many chains and providers, and probes that were answered. */
const world = (failed: number, chains: number, providers: number, answered: number): ProbeSummary[] => [
  ...Array.from({ length: failed }, (_, index) => ({
    chain: `chain ${index % chains}`,
    provider: `provider ${index % providers}`,
    failedByTransport: true,
  })),
  ...Array.from({ length: answered }, () => up),
]

const chainless = (failed: number, providers: number): ProbeSummary[] =>
  Array.from({ length: failed }, (_, index) => ({
    chain: null,
    provider: `provider ${index % providers}`,
    failedByTransport: true,
  }))

test.each([
  ['all answer', true, [true, true, true], false],
  ['one canary is silent', true, [false, true, true], false],
  ['half are silent', true, [false, false, true], false],
  ['the server is on the same network, the world is gone', true, [false, false, false], true],
  ['only the server is silent', false, [true, true, true], false],
  ['the server and most canaries are silent', false, [false, false, true], true],
  ['everything is silent', false, [false, false, false], true],
])('canaries: %s', (_, serverAnswers, canaries, expected) => {
  expect(isIsolated({ serverAnswers, canaries, probes: [up, down] })).toBe(expected)
})

test.each([
  ['the server is in this process', true, [down, down], false],
  ['the server is silent, a service answers', false, [down, up], false],
  ['the server is silent, and so is every service', false, [down, down], true],
])('without canary hosts: %s', (_, serverAnswers, probes, expected) => {
  expect(isIsolated({ serverAnswers, canaries: [], probes })).toBe(expected)
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
  expect(isIsolated({ serverAnswers: true, canaries: [true], probes })).toBe(expected)
})
