import { beforeEach, expect, test } from 'bun:test'

import { forgetSetupToken, keepSetupToken, readSetupToken, setupTokenIn } from './setup-token.ts'

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

test('the secret is kept for a run through a provider, and forgotten after its use', () => {
  expect(readSetupToken(sessionStorage)).toBeNull()
  keepSetupToken(sessionStorage, 'gst_1')
  expect(readSetupToken(sessionStorage)).toBe('gst_1')
  forgetSetupToken(sessionStorage)
  expect(readSetupToken(sessionStorage)).toBeNull()
})
