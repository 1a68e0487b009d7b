import { expect, test } from 'bun:test'

import { tryAgainIn } from './try-again-in.ts'

test.each([
  [0, '1 second'],
  [999, '1 second'],
  [1_001, '2 seconds'],
  [119_000, '119 seconds'],
  [120_001, '3 minutes'],
  [19.5 * 3_600_000, '20 hours'],
  [48 * 3_600_000, '2 days'],
])('%d ms: %s', (ms, text) => expect(tryAgainIn(ms)).toBe(`try again in ${text}`))
