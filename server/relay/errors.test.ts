import { expect, test } from 'bun:test'

import { limitErrorOf, tryAgainIn } from './errors.ts'

test.each([
  [0, 'try again in 1 second'],
  [999, 'try again in 1 second'],
  [1_001, 'try again in 2 seconds'],
])('%d ms: %s', (ms, text) => expect(tryAgainIn(ms)).toBe(text))

test('a refusal says in its text when to try again: a message of a WebSocket has no headers', () => {
  const { error } = limitErrorOf(
    { kind: 'refused', limit: 'rate', scope: 'key', retryAfterMs: 2_400, quotas: [] },
    1,
  )
  expect(error).toMatchObject({
    message: 'the rate limit of this query key is reached; try again in 3 seconds',
    retryAfterMs: 2_400,
  })
})
