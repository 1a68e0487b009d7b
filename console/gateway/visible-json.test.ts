import { expect, test } from 'bun:test'

import { visibleJson } from './visible-json.ts'

test('nothing stays hidden in JSON (threat 52)', () => {
  expect(visibleJson({ text: 'pay\u202etfel' })).toBe('{\n  "text": "pay\\u{202E}tfel"\n}')
  expect(visibleJson(['plain'])).toBe('[\n  "plain"\n]')
})
