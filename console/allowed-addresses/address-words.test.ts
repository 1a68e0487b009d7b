import { expect, test } from 'bun:test'

import { allowedText } from './address-words.ts'

test('says which addresses may be reached now, and where that is not known yet', () => {
  const allowed = ['10.0.0.5', 'fd00::5']
  expect(allowedText({ allowed, already: ['10.0.0.6'], propagated: true })).toBe(
    '10.0.0.5, fd00::5 may be reached from now on.',
  )
  expect(allowedText({ allowed, already: [], propagated: false })).toStartWith(
    '10.0.0.5, fd00::5 may be reached from now on. One process of this installation did not answer',
  )
  expect(allowedText({ allowed: [], already: ['10.0.0.6'], propagated: true })).toBe(
    '10.0.0.6 could be reached already.',
  )
})
