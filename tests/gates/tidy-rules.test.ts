import { expect, test } from 'bun:test'

import { noDeadFiles } from './dead-files.ts'
import { type Trial, tryRules } from './planted.ts'
import { countLines, sizeLimits, tidyRules } from './tidy-rules.ts'

const path = 'server/health/board.ts'
const lines = (count: number): string => 'x()\n'.repeat(count)

const trials: Trial[] = [
  {
    rule: 'short-files',
    breaks: [
      { tree: { [path]: lines(301) }, says: `${path}:300 short-files: has 301 lines` },
      { tree: { 'a.test.ts': lines(401) }, says: 'a.test.ts:400 short-files: has 401 lines' },
    ],
    keeps: [{ [path]: lines(300) }, { 'a.test.ts': lines(400) }],
  },
  {
    rule: 'short-median',
    breaks: [
      {
        tree: { 'a.ts': lines(10), 'b.ts': lines(91), 'c.ts': lines(200) },
        says: '.:1 short-median: the median is 91 lines',
      },
    ],
    keeps: [{ 'a.ts': lines(10), 'b.ts': lines(90), 'c.ts': lines(200) }, { 'a.test.ts': lines(200) }],
  },
  {
    rule: 'short-functions',
    breaks: [
      {
        tree: { [path]: `\nfunction long() {\n${lines(59)}}` },
        says: `${path}:2 short-functions: a function of 61 lines, inner functions not counted`,
      },
      {
        tree: { [path]: `run(() => {\n${lines(59)}})` },
        says: `${path}:1 short-functions: a function of 61 lines, inner functions not counted`,
      },
      {
        tree: { [path]: `function create() {\n${`function step() {\n${lines(38)}}\n`.repeat(3)}}` },
        says: `${path}:1 short-functions: a function of 122 lines`,
      },
    ],
    keeps: [
      { [path]: `function fits() {\n${lines(58)}}` },
      { [path]: `function create() {\n${lines(40)}const step = () => {\n${lines(40)}}\n}` },
      { 'a.test.ts': `describe('group', () => {\n${lines(100)}})` },
    ],
  },
  {
    rule: 'no-type-escapes',
    breaks: [
      { tree: { [path]: `const a = b as any` }, says: `${path}:1 no-type-escapes: has as any` },
      { tree: { [path]: `const a = b as never` }, says: `${path}:1 no-type-escapes: has as never` },
    ],
    keeps: [{ [path]: `const a = b as const\n// written as any other` }],
  },
  {
    rule: 'no-silent-catch',
    breaks: [
      {
        tree: { [path]: `try { a() } catch {\n// nothing\n}` },
        says: `${path}:1 no-silent-catch: has an empty catch`,
      },
    ],
    keeps: [{ [path]: `try { a() } catch { return null }` }],
  },
  {
    rule: 'no-sleeps-in-tests',
    breaks: [
      {
        tree: { 'a.test.ts': `test('a', async () => {\n  await Bun.sleep(100)\n})` },
        says: 'a.test.ts:2 no-sleeps-in-tests: a test sleeps',
      },
    ],
    keeps: [
      { 'a.test.ts': `test('a', async () => { while (!done) await Bun.sleep(5) })` },
      { 'a.test.ts': `test('a', async () => { serve(async () => { await Bun.sleep(5) }) })` },
    ],
  },
  {
    rule: 'no-dead-files',
    breaks: [
      {
        tree: { 'server/main.ts': '', 'server/a.ts': '', 'server/a.test.ts': `import './a.ts'` },
        says: 'server/a.ts:1 no-dead-files: is dead',
      },
      { tree: { 'tests/support/fake.ts': '' }, says: 'tests/support/fake.ts:1 no-dead-files: is dead' },
    ],
    keeps: [
      { 'server/main.ts': `import type { A } from './a.ts'`, 'server/a.ts': '' },
      { 'tests/support/fake.ts': '', 'server/a.test.ts': `import '../tests/support/fake.ts'` },
      { 'scripts/test.ts': `run('--preload=./tests/support/preload.ts')`, 'tests/support/preload.ts': '' },
      { 'scripts/drizzle.config.ts': `const schema = './server/*/tables.ts'`, 'server/health/tables.ts': '' },
    ],
  },
]

tryRules([...tidyRules, noDeadFiles], trials)

test('a line break at the end begins no new line', () => {
  expect([countLines('a'), countLines('a\n'), countLines('a\nb')]).toEqual([1, 1, 2])
  expect(sizeLimits.fileLines).toBe(300)
})
