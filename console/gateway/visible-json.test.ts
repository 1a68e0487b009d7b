import { expect, test } from 'bun:test'

import { visibleJson } from './visible-json.ts'
import { covers } from '../../tests/support/covers.ts'

test('nothing stays hidden in JSON', () => {
  covers('threat-52')
  expect(visibleJson({ text: 'pay\u202etfel' })).toBe('{\n  "text": "pay\\u{202E}tfel"\n}')
  expect(visibleJson(['plain'])).toBe('[\n  "plain"\n]')
})
