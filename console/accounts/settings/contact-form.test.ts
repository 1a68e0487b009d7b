import { expect, test } from 'bun:test'

import { checkContact, contactDraftOf } from './contact-form.ts'

test('a name, an e-mail address, or both can be shared', () => {
  expect(checkContact({ name: ' Ada ', email: '' })).toEqual({
    kind: 'good',
    contact: { name: 'Ada', email: null },
  })
  expect(checkContact({ name: '', email: 'ada@example.org' })).toMatchObject({
    contact: { name: null, email: 'ada@example.org' },
  })
})

test.each([
  [
    { name: '', email: ' ' },
    { name: 'A name, an e-mail address, or both', email: '' },
  ],
  [
    { name: '', email: 'ada' },
    { name: '', email: expect.stringContaining('ada@example.org') },
  ],
  [
    { name: 'x'.repeat(101), email: '' },
    { name: 'At most 100 characters', email: '' },
  ],
  [
    { name: 'x'.repeat(101), email: '@' },
    { name: 'At most 100 characters', email: expect.stringMatching(/./) },
  ],
])('%p says what is wrong, beside the field', (draft, wrong) => {
  expect(checkContact(draft)).toEqual({ kind: 'bad', ...wrong })
})

test('what is shared stands in the fields', () => {
  expect(contactDraftOf({ name: 'Ada', email: null })).toEqual({ name: 'Ada', email: '' })
  expect(contactDraftOf(null)).toEqual({ name: '', email: '' })
})
