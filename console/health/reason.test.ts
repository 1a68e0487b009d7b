import { describe, expect, test } from 'bun:test'

import type { VoteDetails } from '../../shared/health-details.ts'
import { decisionReasonOf, reportingText } from './reason.ts'

const pending = null
const quorum = { assigned: 3, needed: 2 }
const expected = 3

const vote = (changes: Partial<VoteDetails> = {}): VoteDetails => ({
  verifierId: 'a',
  region: 'eu',
  vote: 'OK',
  reason: null,
  lagBlocks: 0,
  lagSec: 0,
  rttMs: 12,
  ageMs: 4_000,
  counts: true,
  ...changes,
})
const behind = (blocks: number, ageMs = 4_000) =>
  vote({ vote: 'LAG', reason: 'BLOCKS_BEHIND', lagBlocks: blocks, ageMs })
const unreachable = vote({ vote: 'BAD', reason: 'CONNECT' })

const unknown = (assigned: number) =>
  decisionReasonOf({
    decision: 'UNKNOWN',
    votes: [vote()],
    quorum: { assigned, needed: 2 },
    expected: assigned,
    pending,
  }).text

describe('why a decision is what it is', () => {
  test('names who agrees, their reason and how old it is', () => {
    const { text, outlook } = decisionReasonOf({
      decision: 'LATENCY',
      votes: [behind(13, 9_000), behind(13), vote()],
      quorum,
      expected,
      pending,
    })
    expect(text).toBe('2 of 3 say LATENCY: 13 blocks behind, seen 4 s ago')
    expect(outlook).toBeNull()
  })

  test('gives every reason that is given', () => {
    const late = vote({ vote: 'BAD', reason: 'TIMEOUT' })
    const { text } = decisionReasonOf({
      decision: 'DOWN',
      votes: [unreachable, late, unreachable],
      quorum,
      expected,
      pending,
    })
    expect(text).toBe('3 of 3 say DOWN: no connection; no answer in time, seen 4 s ago')
  })

  test('leaves out who does not count', () => {
    const { text } = decisionReasonOf({
      decision: 'UP',
      votes: [vote(), vote({ ...unreachable, counts: false })],
      quorum,
      expected,
      pending,
    })
    expect(text).toBe('1 of 1 says UP, seen 4 s ago')
  })

  test('says what follows when the votes say something else by now, and when', () => {
    const votes = [unreachable, unreachable, vote()]
    const failing = { decision: 'DOWN', heldSec: 5, neededSec: 20 } as const
    expect(decisionReasonOf({ decision: 'UP', votes, quorum, expected, pending: failing })).toEqual({
      text: '2 of 3 say DOWN: no connection, seen 4 s ago',
      outlook: 'DOWN for 5 s of 20 s; UP until then',
    })
    const proven = { decision: 'DOWN', heldSec: 1, neededSec: 3, failures: { count: 2, needed: 4 } } as const
    expect(decisionReasonOf({ decision: 'UP', votes, quorum, expected, pending: proven }).outlook).toBe(
      'DOWN for 1 s of 3 s, 2 of 4 failures in a row; UP until then',
    )
    const recovering = { decision: 'UP', heldSec: 12, neededSec: 30 } as const
    expect(
      decisionReasonOf({ decision: 'DOWN', votes: [vote()], quorum, expected, pending: recovering }),
    ).toEqual({
      text: '1 of 1 says UP, seen 4 s ago',
      outlook: 'UP for 12 s of 30 s; DOWN until then',
    })
  })

  test('without a quorum says who is missing', () => {
    expect(unknown(3)).toBe('Only 1 of 3 verifiers reports; 2 are needed for a decision.')
    expect(unknown(0)).toBe('No verifier watches services of this kind.')
  })
})

test('who reports is counted against all whose report is expected, newcomers among them', () => {
  const votes = [vote(), vote({ counts: false }), vote()]
  expect(reportingText({ votes, expected: 4, quorum: { assigned: 2, needed: 2 } })).toBe(
    '2 of 4 reporting, 2 needed',
  )
})
