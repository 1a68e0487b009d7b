import { expect, test } from 'bun:test'

import { returnPathFrom, returnPathOf } from './return-path.ts'

test.each(['/', '/api-keys', '/services?state=DOWN'])('%s is a place to return to', (path) => {
  expect(returnPathOf(path)).toBe(path)
})

test.each([
  ['//evil.example.net'],
  ['https://evil.example.net'],
  ['/\\evil'],
  ['/%2f%2fevil'],
  ['javascript:alert(1)'],
  ['/sign-in?returnTo=/'],
  [['/api-keys', '/x']],
  [undefined],
  [null],
])('%p is none, so one begins at the overview', (asked) => {
  expect(returnPathOf(asked)).toBe('/')
})

test('one comes back from a provider with the filters that an address may hold', () => {
  expect(returnPathFrom({ path: '/services', fullPath: '/services?state=DOWN' })).toBe('/services?state=DOWN')
  expect(returnPathFrom({ path: '/services', fullPath: '/services?q=a/b' })).toBe('/services')
})
