import { expect, test } from 'bun:test'

import { inputTextOf, instantOfInput, readerOffsetMs, readerZone } from './reader-zone.ts'

const at = Date.UTC(2026, 6, 31, 13, 5)

test('in UTC everything is told and read in UTC', () => {
  expect(readerZone('UTC')).toBe('UTC')
  expect(readerOffsetMs(at, 'UTC')).toBe(0)
  expect(inputTextOf(at, 'UTC')).toBe('2026-07-31T13:05')
  expect(instantOfInput('2026-07-31T13:05', 'UTC')).toBe(at)
})

test('where the reader is, what an input holds is read as what it was made from', () => {
  const text = inputTextOf(at, 'here')
  expect(text).toBe(new Date(at + readerOffsetMs(at, 'here')).toISOString().slice(0, 16))
  expect(instantOfInput(text, 'here')).toBe(at)
  expect(Date.parse(text)).toBe(at)
})

test('an empty input holds no instant', () => {
  expect([instantOfInput('', 'UTC'), instantOfInput('', 'here')]).toEqual([Number.NaN, Number.NaN])
})
