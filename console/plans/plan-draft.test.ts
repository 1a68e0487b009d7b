import { describe, expect, test } from 'bun:test'

import type { Plan } from '../../shared/plans.ts'
import { planDraftOf, readPlanDraft } from './plan-draft.ts'

const whole: Plan = {
  name: 'free',
  maxKeys: 3,
  keyMost: { rate: '100/minute' },
  totalMost: { rate: '1000/minute', credits: '1000000/day' },
  endpoints: ['testnet', 'dev-*'],
  methods: ['eth_*'],
  keyDays: 90,
}

describe('the form of a plan', () => {
  test('what it shows of a plan is read as that plan', () => {
    expect(readPlanDraft(planDraftOf(whole))).toEqual({ kind: 'value', value: whole })
  })

  test('what is left empty is not limited; no key at all is a limit', () => {
    const draft = { ...planDraftOf(null), name: ' trial ' }
    expect(readPlanDraft(draft)).toEqual({ kind: 'value', value: { name: 'trial' } })
    expect(readPlanDraft({ ...draft, maxKeys: '0' })).toEqual({
      kind: 'value',
      value: { name: 'trial', maxKeys: 0 },
    })
  })

  test('numbers may be grouped as people write them', () => {
    const rate = { source: 'own', units: '50,000', period: 'day' } as const
    const empty = planDraftOf(null)
    const keyMost = { ...empty.keyMost, rate }
    expect(readPlanDraft({ ...empty, name: 'pro', maxKeys: '1,000', keyMost })).toEqual({
      kind: 'value',
      value: { name: 'pro', maxKeys: 1_000, keyMost: { rate: '50000/day' } },
    })
  })

  test('each mistake is told at its field, with what is allowed', () => {
    const blank = { source: 'own', units: '', period: 'hour' } as const
    const none = planDraftOf(null).keyMost
    expect(
      readPlanDraft({
        name: 'Free plan',
        maxKeys: '10001',
        keyMost: { ...none, rate: blank },
        totalMost: { ...none, credits: blank },
        endpoints: ['Eth'],
        methods: ['eth_*call'],
        keyDays: '1.5',
      }),
    ).toEqual({
      kind: 'wrong',
      errors: {
        name: 'Expected a name of lower-case letters, digits and hyphens, such as free.',
        maxKeys: 'A whole number from 0 to 10000.',
        'keyMost.rate': 'A whole number from 1 to a trillion.',
        'totalMost.credits': 'A whole number from 1 to a trillion.',
        endpoints: 'Expected the name of an endpoint, or a beginning such as eth-*.',
        methods: expect.stringContaining('xpected'),
        keyDays: 'A whole number from 1 to 3650.',
      },
    })
    expect(readPlanDraft(planDraftOf(null))).toEqual({ kind: 'wrong', errors: { name: 'Give it a name.' } })
  })
})
