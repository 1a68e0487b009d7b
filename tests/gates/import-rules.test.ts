import { expect, test } from 'bun:test'

import { findCycles, noCycles } from './cycles.ts'
import { importRules } from './import-rules.ts'
import { judge, type Trial, tryRules } from './planted.ts'
import { sourceFile } from './source-file.ts'

const health = 'server/health/health.ts'

const trials: Trial[] = [
  {
    rule: 'layers',
    breaks: [
      {
        tree: { 'server/platform/log.ts': `import type { Health } from '../health/health.ts'` },
        says: 'server/platform/log.ts:1 layers: imports server/health/health.ts',
      },
      {
        tree: { [health]: `\nimport type { App } from '../http/app.ts'` },
        says: 'server/health/health.ts:2 layers: imports server/http/app.ts',
      },
      {
        tree: {
          'server/gateway/transports/routes.ts': `import { serveStatic } from '../../http/static-file.ts'`,
        },
        says: 'server/gateway/transports/routes.ts:1 layers: imports server/http/static-file.ts',
      },
      {
        tree: { 'server/trpc/init.ts': `import type { Edge } from '../http/edge.ts'` },
        says: 'server/trpc/init.ts:1 layers: imports server/http/edge.ts',
      },
      {
        tree: { 'server/http/app.ts': `import type { Health } from '../health/health.ts'` },
        says: 'server/http/app.ts:1 layers: imports server/health/health.ts',
      },
      {
        tree: { 'server/platform/http/caller.ts': `import type { Health } from '../../health/health.ts'` },
        says: 'server/platform/http/caller.ts:1 layers: imports server/health/health.ts',
      },
      {
        tree: { 'server/keys/memory.ts': `import type { ApiKeys } from '../api-keys/api-keys.ts'` },
        says: 'server/keys/memory.ts:1 layers: imports server/api-keys/api-keys.ts',
      },
      {
        tree: { 'server/platform/log.ts': `import type { KeyKind } from '../keys/stored-key.ts'` },
        says: 'server/platform/log.ts:1 layers: imports server/keys/stored-key.ts',
      },
      {
        tree: { 'shared/health.ts': `import { fault } from '../server/platform/fault.ts'` },
        says: 'shared/health.ts:1 layers: imports server/platform/fault.ts',
      },
      {
        tree: { [health]: `import { startAnvil } from '../../scripts/world/anvil.ts'` },
        says: 'server/health/health.ts:1 layers: imports scripts/world/anvil.ts',
      },
      {
        tree: { 'server/main.ts': `import { createHealth } from './health/health.ts'` },
        says: 'server/main.ts:1 layers: imports server/health/health.ts',
      },
      {
        tree: {
          'console/App.vue': `<template/>\n<script setup lang="ts">\nimport '../server/compose.ts'\n</script>`,
        },
        says: 'console/App.vue:3 layers: imports server/compose.ts',
      },
    ],
    keeps: [
      {
        [health]: `import { fault } from '../platform/fault.ts'\nimport { Decision } from '../../shared/health.ts'`,
      },
      { 'server/api-keys/editing.ts': `import { createKeyEditing } from '../keys/editing.ts'` },
      { 'server/health/routes.ts': `import { faultBody } from '../platform/http/faults.ts'` },
      { 'server/compose.ts': `import { createHealth } from './health/health.ts'` },
      { 'server/verifier/main.ts': `import { createAgent } from './agent.ts'` },
      { 'server/health/health.test.ts': `import { compose } from '../compose.ts'` },
    ],
  },
  {
    rule: 'domains-by-type',
    breaks: [
      {
        tree: { [health]: `import { createRegistry } from '../registry/registry.ts'` },
        says: 'server/health/health.ts:1 domains-by-type: imports server/registry/registry.ts',
      },
      {
        tree: { 'server/health/decide/vote.ts': `import type { Row } from '../../registry/rows.ts'` },
        says: 'server/health/decide/vote.ts:1 domains-by-type: imports server/registry/rows.ts',
      },
    ],
    keeps: [
      { [health]: `import type { Registry } from '../registry/registry.ts'` },
      { [health]: `import { type Registry, type Row } from '../registry/registry.ts'` },
      { 'server/health/history/keeper.ts': `import { vote } from '../decide/vote.ts'` },
    ],
  },
  {
    rule: 'private-stores',
    breaks: [
      {
        tree: { 'server/http/app.ts': `import { createHealthStore } from '../health/history/store.ts'` },
        says: 'server/http/app.ts:1 private-stores: imports server/health/history/store.ts',
      },
    ],
    keeps: [
      { [health]: `import type { Store } from './history/store.ts'` },
      { 'server/compose.ts': `import { createStore } from './health/store.ts'` },
    ],
  },
  {
    rule: 'only-the-router-type',
    breaks: [
      {
        tree: { 'console/trpc.ts': `import { appRouter } from '../server/compose/router.ts'` },
        says: 'console/trpc.ts:1 only-the-router-type: imports server/compose/router.ts',
      },
      {
        tree: { 'server/command-line/main.ts': `import type { Context } from '../compose/router.ts'` },
        says: 'server/command-line/main.ts:1 only-the-router-type: imports server/compose/router.ts',
      },
    ],
    keeps: [{ 'console/trpc.ts': `import type { AppRouter } from '../server/compose/router.ts'` }],
  },
  {
    rule: 'scripts-without-tests',
    breaks: [
      {
        tree: { 'scripts/bench/run.ts': `import { startDatabase } from '../../tests/support/database.ts'` },
        says: 'scripts/bench/run.ts:1 scripts-without-tests: imports tests/support/database.ts',
      },
      {
        tree: { 'scripts/world/node.ts': `import type { Order } from '../../tests/faults/limits/order.ts'` },
        says: 'scripts/world/node.ts:1 scripts-without-tests: imports tests/faults/limits/order.ts',
      },
    ],
    keeps: [
      { 'scripts/decisions.ts': `import { requirements } from '../tests/requirements.ts'` },
      { 'scripts/bench/run.test.ts': `import { needs } from '../../tests/support/needs.ts'` },
      { 'tests/support/needs.ts': `import { findCommand } from '../../scripts/world/find-command.ts'` },
    ],
  },
  {
    rule: 'kit-stands-alone',
    breaks: [
      {
        tree: {
          'console/ui/Table.vue': `<script setup>\nimport { useKeys } from '../api-keys/store.ts'\n</script>`,
        },
        says: 'console/ui/Table.vue:2 kit-stands-alone: imports console/api-keys/store.ts',
      },
    ],
    keeps: [{ 'console/ui/Table.vue': `<script setup>\nimport Cell from './Cell.vue'\n</script>` }],
  },
  {
    rule: 'kit-packages',
    breaks: [
      {
        tree: { 'console/api-keys/KeysPage.vue': `<script setup>import { Dialog } from 'reka-ui'</script>` },
        says: 'console/api-keys/KeysPage.vue:1 kit-packages: imports reka-ui',
      },
      {
        tree: {
          'console/ui/Link.vue': `<script setup>import { RouterLink } from 'vue-router/auto'</script>`,
        },
        says: 'console/ui/Link.vue:1 kit-packages: imports vue-router/auto',
      },
    ],
    keeps: [{ 'console/ui/Dialog.vue': `<script setup>import { DialogRoot } from 'reka-ui'</script>` }],
  },
  {
    rule: 'lazy-parts-come-back',
    breaks: [
      {
        tree: {
          'console/api-keys/KeysPage.vue': `<script setup>\nimport { defineAsyncComponent as later, ref } from 'vue'\n</script>`,
        },
        says: 'console/api-keys/KeysPage.vue:2 lazy-parts-come-back: imports vue',
      },
    ],
    keeps: [
      { 'console/lazy-part.ts': `import { defineAsyncComponent } from 'vue'` },
      { 'console/api-keys/KeysPage.vue': `<script setup>import { ref } from 'vue'</script>` },
    ],
  },
  {
    rule: 'shared-is-plain',
    breaks: [
      {
        tree: { 'shared/health.ts': `import { createHash } from 'node:crypto'` },
        says: 'shared/health.ts:1 shared-is-plain: imports node:crypto',
      },
    ],
    keeps: [{ 'shared/health.ts': `import * as z from 'zod/mini'` }],
  },
]

tryRules(importRules, trials)

test('no-cycles prints the whole circle, type-only edges included', () => {
  const tree = {
    'server/a/a.ts': `import type { B } from './b.ts'`,
    'server/a/b.ts': `import { c } from './c.ts'`,
    'server/a/c.ts': `\nexport type A = import('./a.ts').A`,
    'server/a/d.ts': `import './a.ts'`,
  }
  expect(judge(noCycles, tree)).toEqual([
    'server/a/a.ts:1 no-cycles: server/a/a.ts -> server/a/b.ts -> server/a/c.ts -> server/a/a.ts',
  ])
})

test('two ways to one file are no cycle; a file that imports itself is one', () => {
  const diamond = {
    'a.ts': `import './b.ts'\nimport './c.ts'`,
    'b.ts': `import './d.ts'`,
    'c.ts': `import './d.ts'`,
    'd.ts': '',
  }
  const files = Object.entries(diamond).map(([path, text]) => sourceFile(path, text))
  expect(findCycles(files)).toEqual([])
  expect(findCycles([sourceFile('a.ts', `import './a.ts'`)])).toEqual([['a.ts', 'a.ts']])
})
