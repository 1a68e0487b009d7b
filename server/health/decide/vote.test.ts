import { expect, test } from 'bun:test'

import type { Decision, Policy } from '../../../shared/health.ts'
import { probeErrors } from '../../../shared/verifier-protocol.ts'
import { policy, report } from './test-support/arbitraries.ts'
import { type Report, hasLag, objection, vote } from './vote.ts'
import { covers } from '../../../tests/support/covers.ts'

function judge(fields: Partial<Report>, published: Decision = 'UP', overrides: Partial<Policy> = {}) {
  const used = { ...policy, ...overrides }
  const given = report(1, fields)
  return [vote(given, used, published), objection(given, used, published)]
}

test('every error is a BAD vote that names it, whether an answer came or not', () => {
  for (const error of probeErrors) {
    expect(judge({ ok: false, error })).toEqual(['bad', error])
    expect(judge({ ok: true, error })).toEqual(['bad', error])
  }
  expect(judge({ ok: false })).toEqual(['bad', 'FAILED'])
})

test('a rate-limited probe counts as the policy says, but tells no lag', () => {
  for (const ok of [true, false]) {
    const limited = { ok, error: 'RATE_LIMITED' as const }
    expect(judge(limited)).toEqual(['bad', 'RATE_LIMITED'])
    expect(judge(limited, 'UP', { rateLimitedIs: 'ok' })).toEqual(['ok', null])
    expect(hasLag(report(1, limited))).toBe(false)
  }
  expect(judge({ ok: false, error: 'TIMEOUT' }, 'UP', { rateLimitedIs: 'ok' })).toEqual(['bad', 'TIMEOUT'])
})

test('thresholds are strict, in blocks and in seconds', () => {
  expect(judge({ lagBlocks: 5, lagSec: 60 })).toEqual(['ok', null])
  expect(judge({ lagBlocks: 6 })).toEqual(['lag', 'BLOCKS_BEHIND'])
  expect(judge({ lagSec: 61 })).toEqual(['lag', 'SECONDS_BEHIND'])
  expect(judge({ lagBlocks: 100, lagSec: 1_200 })).toEqual(['lag', 'BLOCKS_BEHIND'])
  expect(judge({ lagBlocks: 101 })).toEqual(['bad', 'STALE'])
  expect(judge({ lagSec: 1_201 })).toEqual(['bad', 'STALE'])
})

test('while LATENCY or DOWN is published the thresholds shrink, that of staleness does not', () => {
  for (const published of ['LATENCY', 'DOWN'] as const) {
    expect(judge({ lagBlocks: 2, lagSec: 30 }, published)).toEqual(['ok', null])
    expect(judge({ lagBlocks: 3 }, published)).toEqual(['lag', 'BLOCKS_BEHIND'])
    expect(judge({ lagSec: 31 }, published)).toEqual(['lag', 'SECONDS_BEHIND'])
    expect(judge({ lagBlocks: 100 }, published)).toEqual(['lag', 'BLOCKS_BEHIND'])
  }
  for (const published of ['UP', 'UNKNOWN'] as const) {
    expect(judge({ lagBlocks: 3, lagSec: 31 }, published)).toEqual(['ok', null])
  }
})

test('slow answers matter only where the policy says how slow', () => {
  covers('health-slow-answers')
  expect(judge({ rttMs: 60_000 })).toEqual(['ok', null])
  expect(judge({ rttMs: 3_000 }, 'UP', { maxRttMs: 3_000 })).toEqual(['ok', null])
  expect(judge({ rttMs: 3_001 }, 'UP', { maxRttMs: 3_000 })).toEqual(['lag', 'SLOW'])
  expect(judge({ rttMs: 1_501 }, 'LATENCY', { maxRttMs: 3_000 })).toEqual(['lag', 'SLOW'])
  expect(judge({ rttMs: 1_500 }, 'LATENCY', { maxRttMs: 3_000 })).toEqual(['ok', null])
})

test('a service ahead of the reference has no lag', () => {
  expect(judge({ lagBlocks: -500, lagSec: -900 })).toEqual(['ok', null])
  expect(judge({ lagBlocks: -500, lagSec: -900 }, 'UP', { enterBlocks: 0, enterSec: 0 })).toEqual([
    'ok',
    null,
  ])
})
