import { expect, test } from 'bun:test'

import { planEffectText } from './plan-effect-text.ts'

test('says how many accounts a changed plan concerns, and what becomes of their keys', () => {
  expect(planEffectText(0)).toBe('No account has it yet.')
  expect(planEffectText(1)).toStartWith('1 account has it. Its keys are held to these limits')
  expect(planEffectText(1_200)).toStartWith('1,200 accounts have it. Their keys are held to these limits')
  expect(planEffectText(2)).toContain('none is deleted')
})
