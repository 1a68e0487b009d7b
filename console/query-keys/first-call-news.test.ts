import { expect, test } from 'bun:test'

import { firstCallNews } from './first-call-news.ts'

const none = { requests: 0, ok: 0, errors: 0, rateLimited: 0, creditLimited: 0 }

test('a new key waits for its first call, and says what became of it', () => {
  expect(firstCallNews(undefined).kind).toBe('waiting')
  expect(firstCallNews(none).kind).toBe('waiting')
  expect(firstCallNews({ ...none, requests: 1, ok: 1 })).toEqual({ kind: 'good', text: '1 call is counted.' })
  expect(firstCallNews({ ...none, requests: 3, ok: 2, errors: 1 }).text).toBe('3 calls are counted.')
  expect(firstCallNews({ ...none, requests: 1, errors: 1 }).kind).toBe('bad')
  expect(firstCallNews({ ...none, rateLimited: 1 }).kind).toBe('bad')
})
