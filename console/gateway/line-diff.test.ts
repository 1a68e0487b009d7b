import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { lineDiff } from './line-diff.ts'

const show = (before: string, after: string): string =>
  lineDiff(before, after)
    .map(({ kind, text }) => `${{ same: ' ', removed: '-', added: '+' }[kind]}${text}`)
    .join('\n')

test('says which lines went and came', () => {
  expect(show('a\nb\nc', 'a\nx\nc\nd')).toBe(' a\n-b\n+x\n c\n+d')
  expect(show('a', 'a')).toBe(' a')
})

test('both texts can be read from it', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 12 })
    .map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = lineDiff(before, after)
      const without = (kind: string) =>
        lines
          .filter((line) => line.kind !== kind)
          .map((line) => line.text)
          .join('\n')
      expect(without('added')).toBe(before)
      expect(without('removed')).toBe(after)
    }),
  )
})
