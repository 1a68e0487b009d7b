import { expect, test } from 'bun:test'

import { isLoadedByPages } from './loading-pages.ts'

const router = '/src/console/router.ts'

/** Who imports a module, statically and not. */
type Importers = Record<string, { by?: string[]; lazilyBy?: string[]; isEntry?: boolean }>

/** `main.ts` loads the router, the router two pages, and one of the pages a dialog. */
const importers: Importers = {
  'main.ts': { isEntry: true },
  [router]: { by: ['main.ts'] },
  'KeysPage.vue': { lazilyBy: [router] },
  'UsagePage.vue': { lazilyBy: [router] },
  'KeyDrawer.vue': { lazilyBy: ['KeysPage.vue'] },
  'button.vue': { by: ['KeysPage.vue', 'KeyDrawer.vue', 'UsagePage.vue'] },
  'input.vue': { by: ['KeyDrawer.vue', 'label.vue'] },
  'label.vue': { by: ['input.vue'] },
  'session.ts': { by: [router, 'button.vue'] },
}

// Only what the function reads of a module.
const graph = {
  getModuleInfo: (id: string) => {
    const module = importers[id]
    if (module === undefined) return null
    const { by = [], lazilyBy = [], isEntry = false } = module
    return { isEntry, importers: by, dynamicImporters: lazilyBy }
  },
} as unknown as Parameters<typeof isLoadedByPages>[1]

const loads = (id: string): number => [1, 2, 3].filter((least) => isLoadedByPages(id, graph, least)).length

test('a page loads itself, and what it imports at once', () => {
  expect(loads('KeysPage.vue')).toBe(1)
  expect(loads('button.vue')).toBe(2)
})

test('the script that starts the console counts as one page', () => {
  expect(loads(router)).toBe(1)
  expect(loads('session.ts')).toBe(3)
})

test('no page loads what a dialog consists of, even where its parts import each other', () => {
  expect(loads('KeyDrawer.vue')).toBe(0)
  expect(loads('input.vue')).toBe(0)
})

test('no page loads a module that nobody imports', () => {
  expect(loads('unknown.ts')).toBe(0)
})
