import { expect, test } from 'bun:test'

import type { PoolKey } from '../pool/pool.ts'
import { askableBy, askableOf, keyAskable } from './askable.ts'

const key: PoolKey = { principal: 'p', holder: 'h', url: 'u', credentialVersion: '' }

test.each<[declared: unknown, expected: string]>([
  [undefined, ''],
  [null, ''],
  ['elicitation', ''],
  [{ elicitation: true, roots: null, tasks: {} }, ''],
  [{ elicitation: {} }, 'form'],
  [{ elicitation: { url: {} } }, 'url'],
  [{ roots: { listChanged: true }, elicitation: { url: {}, form: { more: 1 } } }, 'form+url+roots'],
  [{ sampling: { context: {} } }, 'sampling'],
  [{ sampling: { tools: {} } }, 'sampling+sampling_tools'],
])('who declares %j can be asked %j, and shares a key with all who can', (declared, expected) => {
  const kind = askableBy(declared)
  expect(kind).toBe(expected)
  expect(askableOf(keyAskable(key, kind))).toBe(expected)
  expect(keyAskable(key, '')).toBe(key)
})
