import { expect, test } from 'bun:test'

import { verifiersTable } from './verifiers.ts'

const now = Date.UTC(2026, 0, 1)
const verifier = {
  id: 'ver_1',
  name: 'fra',
  region: 'eu',
  version: '1',
  families: [],
  isBuiltIn: false,
  createdAt: 0,
  lastSeenAt: now - 60_000,
  silentAt: now + 90_000,
  isSetAside: false,
  isIsolated: false,
  isEjected: false,
  hasStaleView: false,
}

test.each([
  ['reporting', {}],
  ['silent', { silentAt: now }],
  ['set aside', { silentAt: now, isSetAside: true }],
  ['isolated', { isIsolated: true, isEjected: true }],
])('a verifier is listed as %s with %j', (state, changes) => {
  const [, row] = verifiersTable([{ ...verifier, ...changes }], now).split('\n')
  expect(row?.trimEnd().split(/ {2,}/).at(-1)).toBe(state)
})
