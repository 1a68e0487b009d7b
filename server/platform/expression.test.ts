import { expect, test } from 'bun:test'

import { ExpressionError, parseExpression, searchedChars } from './expression.ts'

test('an expression matches anywhere in the text', () => {
  expect(parseExpression('status"\\s*:\\s*"(ok|green)"').isIn('{"status": "green"}')).toBe(true)
  expect(parseExpression('(?i)^ALL SYSTEMS').isIn('all systems go')).toBe(true)
  expect(parseExpression('red|yellow').isIn('green')).toBe(false)
})

test('only the beginning of a long text is searched', () => {
  const late = `${' '.repeat(searchedChars)}needle`
  expect(parseExpression('needle').isIn(late)).toBe(false)
  expect(parseExpression('needle').isIn(late.slice(6))).toBe(true)
})

test.each(['(a', 'a**', '[z-a]', 'a{1001}', '(?=x)', '(?<!x)y', '(x)\\1', '\\'])(
  '%p is refused with what is allowed, and without an echo',
  (pattern) => {
    expect(() => parseExpression(pattern)).toThrow(ExpressionError)
    expect(() => parseExpression(pattern)).toThrow(/; expected a regular expression of RE2's syntax/)
  },
)

test.each(['[ab]{900}x', '([ab]{1,100}){1,10}', '(?:(?:a?){30}){30}'])('%p is too large', (pattern) => {
  expect(() => parseExpression(pattern)).toThrow(/^too large/)
})

/** Patterns that take a backtracking engine exponential or high polynomial time, over texts that end in a near miss. */
const catastrophic = [
  '^(a+)+$',
  '^(a|a)*$',
  '^(a|aa)+$',
  '(a*)*b',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(.*a){20}[x-z]',
  '(a?){30}a{30}[x-z]',
  '[ab]*a[ab]{20}[x-z]',
  '((a{0,8}){0,8})[x-z]',
  '^(?:a+){10,}$',
]

test.each(catastrophic)('%p takes no more than a second at the longest text', (pattern) => {
  const expression = parseExpression(pattern)
  const startedAt = performance.now()
  for (const text of [`${'a'.repeat(searchedChars - 1)}!`, 'ab'.repeat(searchedChars / 2)])
    expression.isIn(text)
  expect(performance.now() - startedAt).toBeLessThan(2_000)
})
