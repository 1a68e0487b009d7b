import { describe, expect, test } from 'bun:test'

import { type AttemptSource, createSignInAttempts } from './sign-in-attempts.ts'

const proxy = '192.0.2.1'
const without = (ip: string, claimedIp: string | null = null): AttemptSource => ({
  ip,
  claimedIp,
  secret: null,
})
const signingIn = (secret: string, ip = proxy): AttemptSource => ({ ip, claimedIp: null, secret })

/** How many of `attempts` are let through. */
function passed(attempts: number, attempt: (count: number) => void): number {
  let through = 0
  for (let count = 0; count < attempts; count++) {
    try {
      attempt(count)
      through += 1
    } catch (error) {
      expect(error).toMatchObject({ code: 'rate_limited', retryAfterSec: expect.any(Number) })
    }
  }
  return through
}

describe('visitors of one address', () => {
  test('whoever has begun tries again without taking from the others', () => {
    const attempts = createSignInAttempts(() => 1_000)
    attempts.count(without(proxy), 'secret-a')
    expect(passed(100, () => attempts.count(signingIn('secret-a')))).toBe(20)
    expect(passed(60, () => attempts.count(without(proxy)))).toBe(59)
  })

  test('starting over goes on with the same count, and the secret before is none any more', () => {
    const attempts = createSignInAttempts(() => 1_000)
    attempts.count(without(proxy), 'secret-0')
    let current = 'secret-0'
    const startOver = (count: number): void => {
      attempts.count(signingIn(current), `secret-${count + 1}`)
      current = `secret-${count + 1}`
    }
    expect(passed(100, startOver)).toBe(20)
    expect(passed(100, () => attempts.count(signingIn('secret-0')))).toBe(59)
  })

  test('whoever drops the cookie has one allowance; those who have begun are let through all the same', () => {
    const attempts = createSignInAttempts(() => 1_000)
    attempts.count(without(proxy), 'secret-a')
    expect(passed(1_000, (count) => attempts.count(without(proxy), `dropped-${count}`))).toBe(59)
    expect(passed(1_000, (count) => attempts.count(signingIn(`invented-${count}`)))).toBe(0)
    attempts.count(signingIn('secret-a'))
  })

  test('behind a proxy that says for whom it asks, he takes nothing from its other visitors', () => {
    const attempts = createSignInAttempts(() => 1_000)
    expect(passed(1_000, () => attempts.count(without(proxy, '203.0.113.66')))).toBe(60)
    attempts.count(without(proxy, '203.0.113.1'))
  })
})

test('one address that lies about others, or begins many sign-ins, is bounded, and no other one pays', () => {
  const attempts = createSignInAttempts(() => 1_000)
  expect(
    passed(5_000, (count) => attempts.count(without('198.51.100.9', `10.0.${count >> 8}.${count & 255}`))),
  ).toBe(600)
  const repeating = createSignInAttempts(() => 1_000)
  for (let count = 0; count < 60; count++) repeating.count(without('198.51.100.9'), `secret-${count}`)
  const repeated = passed(5_000, (count) =>
    repeating.count(signingIn(`secret-${count % 60}`, '198.51.100.9')),
  )
  expect(repeated).toBe(540)
  repeating.count(without('198.51.100.10'))
})

test('40,000 sign-ins do not fill the memory', () => {
  let now = 0
  const attempts = createSignInAttempts(() => now)
  Bun.gc(true)
  const before = process.memoryUsage().heapUsed
  for (let count = 0; count < 40_000; count++) {
    now += 100
    attempts.count(without(`198.51.${count & 127}.1`), `secret-${count}`)
  }
  Bun.gc(true)
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000)
})
