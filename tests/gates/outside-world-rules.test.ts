import { outsideWorldRules } from './outside-world-rules.ts'
import { type Trial, tryRules } from './planted.ts'

const board = 'server/health/board.ts'

const trials: Trial[] = [
  {
    rule: 'environment-in-one-place',
    breaks: [
      {
        tree: { [board]: `const port = process.env.PORT` },
        says: `${board}:1 environment-in-one-place: uses process.env`,
      },
      {
        tree: { [board]: `import ipaddr from 'ipaddr.js'\nconst { PORT } = Bun.env` },
        says: `${board}:2 environment-in-one-place: uses Bun.env`,
      },
    ],
    keeps: [
      { 'server/config/env.ts': `export const port = process.env.PORT` },
      { 'server/health/board.test.ts': `const port = process.env.PORT` },
      { [board]: `// process.env is read elsewhere\nconst text = 'process.env'` },
    ],
  },
  {
    rule: 'one-guarded-fetch',
    breaks: [
      { tree: { [board]: `await fetch('http://a/')` }, says: `${board}:1 one-guarded-fetch: uses fetch` },
      { tree: { [board]: `createLink(fetch)` }, says: `${board}:1 one-guarded-fetch: uses fetch` },
      { tree: { [board]: `createLink({ fetch })` }, says: `${board}:1 one-guarded-fetch: uses fetch` },
      {
        tree: { [board]: `globalThis.fetch('http://a/')` },
        says: `${board}:1 one-guarded-fetch: uses fetch`,
      },
      { tree: { [board]: `new WebSocket('ws://a/')` }, says: `${board}:1 one-guarded-fetch: uses WebSocket` },
      {
        tree: { [board]: `import { request } from 'node:https'` },
        says: `${board}:1 one-guarded-fetch: imports node:https`,
      },
    ],
    keeps: [
      { 'server/platform/http-client/dial.ts': `await Bun.connect({ hostname, port, socket })` },
      { [board]: `function serve(fetch: Fetch) { return fetch('http://a/') }` },
      { [board]: `const serve = ({ fetch }: Deps) => fetch('http://a/')` },
      { [board]: `await egress.fetch('http://a/')\nconst server = { fetch(request: Request) {} }` },
      { [board]: `import type { Agent } from 'node:https'` },
      { [board]: `import { STATUS_CODES } from 'node:http'` },
    ],
  },
  {
    rule: 'one-clock',
    breaks: [
      { tree: { [board]: `const at = Date.now()` }, says: `${board}:1 one-clock: uses Date.now` },
      { tree: { [board]: `const at = new Date()` }, says: `${board}:1 one-clock: uses new Date()` },
      { tree: { [board]: `measure(performance.now)` }, says: `${board}:1 one-clock: uses performance.now` },
    ],
    keeps: [
      { 'server/platform/clock.ts': `const at = Date.now()` },
      { [board]: `const text = new Date(at).toISOString()\nconst day = Date.UTC(2026, 0)` },
    ],
  },
  {
    rule: 'one-database',
    breaks: [
      {
        tree: { [board]: `import postgres from 'postgres'` },
        says: `${board}:1 one-database: imports postgres`,
      },
      { tree: { [board]: `const sql = new Bun.SQL(url)` }, says: `${board}:1 one-database: uses Bun.SQL` },
    ],
    keeps: [
      { 'server/platform/postgres/pool.ts': `import postgres from 'postgres'` },
      { [board]: `import type { Sql } from 'postgres'` },
    ],
  },
]

tryRules(outsideWorldRules, trials)
