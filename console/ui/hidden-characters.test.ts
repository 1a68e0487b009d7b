import { describe, expect, test } from 'bun:test'

import { hasHidden, partsOf, visibleText } from './hidden-characters.ts'
import { covers } from '../../tests/support/covers.ts'

describe('hidden characters are marked', () => {
  covers('threat-52')
  test.each([
    ['zero\u200bwidth', 'U+200B zero width space'],
    ['pay\u202etfel', 'U+202E right-to-left override'],
    ['a\u2067b', 'U+2067 right-to-left isolate'],
    ['tag\u{e0041}', 'U+E0041'],
    ['bell\u0007', 'U+0007'],
    ['x\u200dy', 'U+200D zero width joiner'],
    ['private\ue000', 'U+E000'],
  ])('%j', (text, name) => {
    expect(partsOf(text)).toContainEqual({ kind: 'hidden', name })
    expect(hasHidden(text)).toBe(true)
  })

  test.each([
    'plain',
    'two\nlines\tand a tab',
    'family 👨‍👩‍👧',
    'heart ❤️',
    'fire ❤️‍🔥',
    'thumb 👍🏽',
    'naïve, 中文, العربية',
  ])('%j has none', (text) => {
    expect(partsOf(text)).toEqual([{ kind: 'text', text }])
    expect(hasHidden(text)).toBe(false)
  })

  test('where nothing but text can be, by their names', () => {
    expect(visibleText('pay\u202etfel')).toBe('pay‹U+202E right-to-left override›tfel')
  })

  test('a text without anything has no part', () => {
    expect(partsOf('')).toEqual([])
  })
})
