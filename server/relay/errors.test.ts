import { expect, test } from 'bun:test'

import { limitErrorOf } from './errors.ts'

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
