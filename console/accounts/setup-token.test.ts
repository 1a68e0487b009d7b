import { beforeEach, expect, test } from 'bun:test'

import {
  forgetSetupToken,
  keepSetupToken,
  readSetupToken,
  setupTokenIn,
  setupTokenOf,
} from './setup-token.ts'

beforeEach(() => sessionStorage.clear())

test.each([
  ['#setup=gst_a-B_9', 'gst_a-B_9'],
  ['#setup=', null],
  ['#other=1', null],
  ['#', null],
  ['', null],
])('the setup link %p holds %p', (hash, token) => {
  expect(setupTokenIn(hash)).toBe(token)
})

test.each([
  [' http://127.0.0.1:3000/sign-in#setup=gst_a-B_9\n', 'gst_a-B_9'],
  ['#setup=gst_1', 'gst_1'],
  ['gst_1a', 'gst_1a'],
  ['http://127.0.0.1:3000/sign-in', null],
  ['', null],
])('%p is pasted for %p', (pasted, token) => {
  expect(setupTokenOf(pasted)).toBe(token)
})

test('the secret is kept for a run through a provider, and forgotten after its use', () => {
  expect(readSetupToken(sessionStorage)).toBeNull()
  keepSetupToken(sessionStorage, 'gst_1')
  expect(readSetupToken(sessionStorage)).toBe('gst_1')
  forgetSetupToken(sessionStorage)
  expect(readSetupToken(sessionStorage)).toBeNull()
})
