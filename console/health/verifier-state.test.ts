import { describe, expect, test } from 'bun:test'

import type { Seen } from './verifier-state.ts'
import {
  isTroubled,
  silentAfterMs,
  verifierState,
  verifierStateWords,
  verifierStates,
} from './verifier-state.ts'

const now = 1_700_000_000_000
const calm: Seen = {
  lastSeenAt: now - 5_000,
  isSetAside: false,
  isIsolated: false,
  isEjected: false,
  hasStaleView: false,
}

describe('the state of a verifier', () => {
  test.each([
    ['reporting', {}],
    ['reporting', { lastSeenAt: now - silentAfterMs }],
    ['new', { lastSeenAt: null }],
    ['silent', { lastSeenAt: now - silentAfterMs - 1 }],
    ['silent', { lastSeenAt: 0, isIsolated: true, isEjected: true }],
    ['isolated', { isIsolated: true, isEjected: true, hasStaleView: true }],
    ['ejected', { isEjected: true, hasStaleView: true }],
    ['stale', { hasStaleView: true }],
  ] as const)('is %s with %j', (state, changes) => {
    expect(verifierState({ ...calm, ...changes }, now)).toBe(state)
  })

  test('every trouble says what to do', () => {
    for (const state of verifierStates.filter(isTroubled)) {
      expect(verifierStateWords[state].advice).not.toBeNull()
      expect(verifierStateWords[state].tone).not.toBe('ok')
    }
  })
})
