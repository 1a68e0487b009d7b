import { type Trial, tryRules } from './planted.ts'
import { sameNameRules } from './same-name-rules.ts'
import { shapeRules } from './shape-rules.ts'

const path = 'server/health/board.ts'

const trials: Trial[] = [
  {
    rule: 'named-exports',
    breaks: [
      { tree: { [path]: `export default 1` }, says: `${path}:1 named-exports: has a default export` },
      {
        tree: { [path]: `export default function a() {}` },
        says: `${path}:1 named-exports: has a default export`,
      },
    ],
    keeps: [{ 'scripts/drizzle.config.ts': `export default {}` }, { [path]: `export const a = 1` }],
  },
  {
    rule: 'no-barrels',
    breaks: [
      {
        tree: { [path]: `export * from './vote.ts'\nconst a = 1` },
        says: `${path}:1 no-barrels: passes on exports of './vote.ts'`,
      },
      {
        tree: { [path]: `export { vote } from './vote.ts'` },
        says: `${path}:1 no-barrels: passes on exports of './vote.ts'`,
      },
      {
        tree: { [path]: `const a = 1\nexport type { Log } from '../platform/log.ts'` },
        says: `${path}:2 no-barrels: passes on exports of '../platform/log.ts'`,
      },
    ],
    keeps: [{ [path]: `export type { Vote } from './vote.ts'\nexport const createBoard = () => 1` }],
  },
  {
    rule: 'telling-paths',
    breaks: [
      'server/health/index.ts',
      'server/health/utils.ts',
      'server/helpers/time.ts',
      'server/controllers/health.ts',
      'shared/key-manager.ts',
      'console/ui/KeyInfo.vue',
    ].map((bad) => ({ tree: { [bad]: '' }, says: `${bad}:1 telling-paths: has a forbidden name` })),
    keeps: [
      { 'server/health/services/service.ts': '' },
      { 'console/services/ServicesPage.vue': '' },
      { 'server/platform/data-folder.ts': '' },
    ],
  },
  {
    rule: 'telling-names',
    breaks: [
      { tree: { [path]: `class BoardManager {}` }, says: `${path}:1 telling-names: declares BoardManager` },
      { tree: { [path]: `interface NodeInfo {}` }, says: `${path}:1 telling-names: declares NodeInfo` },
      {
        tree: { [path]: `const requestHandler = () => 1` },
        says: `${path}:1 telling-names: declares requestHandler`,
      },
    ],
    keeps: [{ [path]: `function a() { const nodeInfo = read(); return nodeInfo }\nclass Board {}` }],
  },
  {
    rule: 'no-module-state',
    breaks: [
      {
        tree: { [path]: `let instance: Board | undefined` },
        says: `${path}:1 no-module-state: has a top-level variable that changes`,
      },
    ],
    keeps: [{ [path]: `function createBoard() { let line = '' }` }, { 'server/board.test.ts': `let a = 1` }],
  },
  {
    rule: 'lean-dependencies',
    breaks: [
      {
        tree: { [path]: `interface BoardDeps { a: 1; b: 1; c: 1; d: 1; e: 1; f: 1 }` },
        says: `${path}:1 lean-dependencies: BoardDeps has 6 fields`,
      },
      {
        tree: { [path]: `interface BoardContext { log?: Log }` },
        says: `${path}:1 lean-dependencies: BoardContext has the optional log`,
      },
    ],
    keeps: [{ [path]: `interface BoardDeps { a: 1; b: 1; c: 1; d: 1; e: 1 }\ninterface Row { a?: 1 }` }],
  },
  {
    rule: 'no-module-mocks',
    breaks: [
      {
        tree: { 'server/board.test.ts': `mock.module('./store.ts', () => ({}))` },
        says: 'server/board.test.ts:1 no-module-mocks: calls mock.module',
      },
    ],
    keeps: [{ 'server/board.test.ts': `const heard = mock(() => 1)` }],
  },
  {
    rule: 'one-schema-each',
    breaks: [
      {
        tree: {
          'console/a.ts': `export type Decision = 'UP'`,
          'shared/health.ts': `export const Decision = z.enum([])`,
        },
        says: 'console/a.ts:1 one-schema-each: declares Decision again, it is in shared/health.ts',
      },
      {
        tree: { 'shared/a.ts': `export interface Key {}`, 'shared/b.ts': `export const Key = z.object({})` },
        says: 'shared/b.ts:1 one-schema-each: declares Key again, it is in shared/a.ts',
      },
    ],
    keeps: [
      { 'shared/a.ts': `export const Key = z.object({})\nexport type Key = z.infer<typeof Key>` },
      { 'console/a.ts': `export interface Row {}`, 'console/b.ts': `export interface Row {}` },
    ],
  },
  {
    rule: 'one-meaning-each',
    breaks: [
      {
        tree: { 'server/a.ts': `export function find() {}`, 'console/b.ts': `export const find = 1` },
        says: 'console/b.ts:1 one-meaning-each: declares find again, it is in server/a.ts',
      },
      {
        tree: { 'server/a.ts': `export interface Row {}`, 'tests/support/b.ts': `export type Row = 1` },
        says: 'tests/support/b.ts:1 one-meaning-each: declares Row again, it is in server/a.ts',
      },
    ],
    keeps: [
      { 'server/a.ts': `export const Row = 1\nexport type Row = 1`, 'server/b.ts': `const Row = 2` },
      { 'server/a.ts': `export const find = 1`, 'server/a.test.ts': `export const find = 2` },
    ],
  },
  {
    rule: 'no-retired-words',
    breaks: [
      {
        tree: { 'server/key-desk.ts': `export const a = 1` },
        says: 'server/key-desk.ts:1 no-retired-words: its name has a retired word',
      },
      {
        tree: { 'server/a.ts': `\nexport function createLanes() {}` },
        says: 'server/a.ts:2 no-retired-words: exports createLanes',
      },
    ],
    keeps: [{ 'server/planes.ts': `export const desktop = 1; const desk = 2` }],
  },
]

tryRules([...shapeRules, ...sameNameRules], trials)
