import { expect, test } from 'bun:test'

import { type Seen, verifierState } from './verifier-state.ts'

const now = 1_700_000_000_000
const calm: Seen = {
  lastSeenAt: now - 5_000,
  silentAt: now + 1,
  isSetAside: false,
  isIsolated: false,
  isEjected: false,
  hasStaleView: false,
}

test.each([
  ['reporting', {}],
  ['reporting', { lastSeenAt: 0, silentAt: null }],
  ['new', { lastSeenAt: null, silentAt: null }],
  ['silent', { silentAt: now }],
  ['silent', { silentAt: 0, isIsolated: true, isEjected: true }],
  ['set aside', { silentAt: 0, isSetAside: true }],
  ['isolated', { isIsolated: true, isEjected: true, hasStaleView: true }],
  ['ejected', { isEjected: true, hasStaleView: true }],
  ['stale', { hasStaleView: true }],
] as const)('the state of a verifier is %s with %j', (state, changes) => {
  expect(verifierState({ ...calm, ...changes }, now)).toBe(state)
})
