import { type Trial, tryRules } from './planted.ts'
import { purityRules } from './purity-rules.ts'

const vote = 'server/health/decide/vote.ts'

const trials: Trial[] = [
  {
    rule: 'pure-imports',
    breaks: [
      {
        tree: { [vote]: `import { createHash } from 'node:crypto'` },
        says: `${vote}:1 pure-imports: imports node:crypto`,
      },
      {
        tree: { 'server/limits/admit.ts': `import { readLimits } from './store.ts'` },
        says: 'server/limits/admit.ts:1 pure-imports: imports server/limits/store.ts',
      },
      {
        tree: { [vote]: `import { hash } from '../hash.ts'`, 'server/health/hash.ts': `import 'bun:ffi'` },
        says: 'server/health/hash.ts:1 pure-imports: imports bun:ffi',
      },
    ],
    keeps: [
      { [vote]: `import { assertNever } from '../../platform/fault.ts'\nimport * as z from 'zod/mini'` },
      { [vote]: `import type { Row } from '../store.ts'` },
      { 'server/health/board.ts': `import { createHash } from 'node:crypto'` },
      { 'server/health/decide/vote.test.ts': `import { test } from 'bun:test'` },
    ],
  },
  {
    rule: 'pure-calls',
    breaks: [
      { tree: { [vote]: `const at = Date.now()` }, says: `${vote}:1 pure-calls: uses Date.now` },
      { tree: { [vote]: `const id = Math.random()` }, says: `${vote}:1 pure-calls: uses Math.random` },
      {
        tree: { [vote]: `const id = crypto.randomUUID()` },
        says: `${vote}:1 pure-calls: uses crypto.randomUUID`,
      },
      { tree: { [vote]: `setTimeout(() => {}, 5)` }, says: `${vote}:1 pure-calls: uses setTimeout` },
      {
        tree: { 'shared/health.ts': `const path = process.argv` },
        says: 'shared/health.ts:1 pure-calls: uses process.argv',
      },
    ],
    keeps: [
      { [vote]: `const largest = Math.max(1, 2)\nconst text = new Date(now).toISOString()` },
      { [vote]: `function vote(crypto: Ratio) { return crypto.share }` },
    ],
  },
]

tryRules(purityRules, trials)
