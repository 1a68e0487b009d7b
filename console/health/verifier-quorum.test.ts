import { describe, expect, test } from 'bun:test'

import type { Family } from '../../shared/chains.ts'
import { quorumText, revocationEffect, verifierQuorum } from './verifier-quorum.ts'

const now = 1_700_000_000_000

function verifier(
  id: string,
  changes: {
    lastSeenAt?: number | null
    silentAt?: number
    families?: Family[]
    isSetAside?: boolean
    isIsolated?: boolean
  } = {},
) {
  return {
    id,
    families: ['evm'] satisfies Family[] as readonly Family[],
    lastSeenAt: now,
    silentAt: now + 30_000,
    isSetAside: false,
    isIsolated: false,
    isEjected: false,
    hasStaleView: false,
    ...changes,
  }
}

describe('the quorum', () => {
  test('counts those that ever reported, and those whose votes count', () => {
    const verifiers = [
      verifier('a'),
      verifier('b', { isIsolated: true }),
      verifier('c', { silentAt: 0 }),
      verifier('d', { lastSeenAt: null }),
    ]
    expect(verifierQuorum(verifiers, now)).toEqual({ expected: 3, voting: 1, needed: 2 })
  })

  test.each([
    [[], 'No verifier has reported yet, so every service is UNKNOWN.'],
    [[verifier('a')], '1 of 1 verifier reports; a decision takes 1.'],
    [[verifier('a'), verifier('b'), verifier('c')], '3 of 3 verifiers report; a decision takes 2.'],
    [
      [verifier('a'), verifier('b', { silentAt: 0 }), verifier('c', { silentAt: 0 })],
      '1 of 3 verifiers reports, but a decision takes 2: services are UNKNOWN until more come back.',
    ],
  ])('is said in words', (verifiers, text) => {
    expect(quorumText(verifierQuorum(verifiers, now))).toBe(text)
  })
})

describe('the effect of a revocation', () => {
  test('of one that never reported is none', () => {
    const verifiers = [verifier('a'), verifier('b', { lastSeenAt: null })]
    expect(revocationEffect(verifiers, 'b', now)).toBe('It has not reported yet, so no decision changes.')
  })

  test('of the last one takes every decision away', () => {
    expect(revocationEffect([verifier('a')], 'a', now)).toBe(
      'No other verifier reports: every service becomes UNKNOWN.',
    )
  })

  test('says how many remain and how many of them it takes', () => {
    const verifiers = [verifier('a'), verifier('b'), verifier('c')]
    expect(revocationEffect(verifiers, 'c', now)).toBe(
      '2 verifiers remain, of which 1 must report for a decision.',
    )
    expect(revocationEffect([...verifiers, verifier('d')], 'd', now)).toBe(
      '3 verifiers remain, of which 2 must report for a decision.',
    )
    expect(revocationEffect(verifiers.slice(1), 'c', now)).toBe(
      '1 verifier remains, of which 1 must report for a decision.',
    )
  })

  test('says when those that remain are too few now', () => {
    const silent = ['b', 'c'].map((id) => verifier(id, { silentAt: 0 }))
    const verifiers = [verifier('a'), ...silent, verifier('d')]
    expect(revocationEffect(verifiers, 'd', now)).toBe(
      '3 verifiers remain, of which 2 must report for a decision. Only 1 of them can vote now: services become UNKNOWN until more come back.',
    )
  })

  test('names the families that nobody else probes', () => {
    const verifiers = [verifier('a'), verifier('b', { families: ['evm', 'solana'] })]
    expect(revocationEffect(verifiers, 'b', now)).toEndWith(
      'No other verifier probes solana: such services become UNKNOWN.',
    )
  })
})

test('a verifier that is set aside is not expected', () => {
  const verifiers = [verifier('a'), verifier('b'), verifier('c', { silentAt: 0, isSetAside: true })]
  expect(verifierQuorum(verifiers, now)).toEqual({ expected: 2, voting: 2, needed: 1 })
})
