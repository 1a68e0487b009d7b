import { describe, expect, test } from 'bun:test'

import type { ChainHead, ChainPart } from '../../shared/audit.ts'
import { emptyChain } from '../../shared/audit.ts'
import { breakText, checkChain, headText, intactText } from './chain-check.ts'
import type { ChainCheckState } from './chain-check.ts'

const headAt = (seq: number): ChainHead => ({ seq, hash: String(seq).padStart(64, '0') })
const part = (seq: number, changes: Partial<ChainPart> = {}): ChainPart => ({
  checked: 2,
  head: headAt(seq),
  firstBad: null,
  isComplete: false,
  ...changes,
})

async function statesOf(parts: readonly ChainPart[], total: number, signal = new AbortController().signal) {
  const asked: ChainHead[] = []
  const left = [...parts]
  const states: ChainCheckState[] = []
  const checkPart = async (after: ChainHead): Promise<ChainPart> => {
    asked.push(after)
    const next = left.shift()
    if (next === undefined) throw new Error('asked too often')
    return next
  }
  for await (const state of checkChain({ checkPart, total, signal })) states.push(state)
  return { states, asked }
}

describe('checking the chain', () => {
  test('goes from part to part until the end', async () => {
    const { states, asked } = await statesOf([part(2), part(4), part(5, { checked: 1, isComplete: true })], 3)
    expect(asked).toEqual([emptyChain, headAt(2), headAt(4)])
    expect(states).toEqual([
      { kind: 'running', checked: 0, total: 3 },
      { kind: 'running', checked: 2, total: 3 },
      { kind: 'running', checked: 4, total: 4 },
      { kind: 'intact', head: headAt(5), checked: 5 },
    ])
  })

  test('stops at the first entry that is wrong', async () => {
    const firstBad = { seq: 3, reason: 'altered' } as const
    const { states } = await statesOf([part(2, { firstBad, isComplete: true })], 9)
    expect(states.at(-1)).toEqual({ kind: 'broken', firstBad })
  })

  test('asks nothing more when nobody waits', async () => {
    const { states, asked } = await statesOf([], 9, AbortSignal.abort())
    expect([states, asked]).toEqual([[], []])
  })

  test('says what it found', () => {
    expect(intactText(1)).toBe('The only entry is as it was recorded.')
    expect(intactText(1203)).toBe('All 1,203 entries are as they were recorded.')
    expect(breakText({ seq: 1200, reason: 'missing' })).toBe('Entry 1,200 is missing.')
    expect(headText(headAt(7))).toBe(`7:${'7'.padStart(64, '0')}`)
  })
})
