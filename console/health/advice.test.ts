import { expect, test } from 'bun:test'

import { adviceText, gapText, triesText } from './advice.ts'

const answers = (failed: number, behind: number) =>
  adviceText({ kind: 'answersDiffer', count: 10, failed, behind })

test('advice in the words of a list', () => {
  expect(adviceText({ kind: 'certificateRefused' })).toBe('Certificate is refused')
  expect(adviceText({ kind: 'certificateEnds', days: 12 })).toBe('Certificate ends in 12 days')
  expect(adviceText({ kind: 'certificateEnds', days: 1 })).toBe('Certificate ends in 1 day')
  expect(adviceText({ kind: 'certificateEnds', days: 0 })).toBe('Certificate ends within a day')
  expect(answers(0, 1)).toBe('1 of 10 answers behind')
  expect(answers(2, 0)).toBe('2 of 10 answers failed')
  expect(answers(1, 1)).toBe('2 of 10 answers failed or behind')
})

test('how the newest tries went, and how far apart two providers are', () => {
  expect(triesText({ count: 30, failed: 0, behind: 0 })).toBe('30 of 30 good')
  expect(triesText({ count: 30, failed: 2, behind: 1 })).toBe('27 of 30 good, 2 failed, 1 behind')
  expect(gapText({ blocks: 13, isBehind: true, since: 0 })).toBe('13 blocks behind the other one')
  expect(gapText({ blocks: 1, isBehind: false, since: 0 })).toBe('1 block ahead of the other one')
})
