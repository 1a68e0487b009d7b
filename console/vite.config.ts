import tailwind from '@tailwindcss/vite'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'

import { brotliFiles } from './build/brotli-files.ts'
import { isLoadedByPages } from './build/loading-pages.ts'
import { leanModules } from './build/lean-modules.ts'
import { pagesWithoutSchemas } from './build/pages-without-schemas.ts'
import { schemasApart } from './build/schemas-apart.ts'

/** What is no schema in files that have schemas; without those of agents' programs, which one page shows. */
const values = /\/shared\/(?!agent-clients\.)[^/]+\?part=values$/

/** Zod, and what forms check with it. */
const schemas = /\/node_modules\/zod\/|\?part=schemas$/

/** Of the console and its icons. Their libraries come with them. */
const ownParts = /\/console\/|\/@lucide\//

/** What most dialogs and drawers consist of: in one file, because a page names every file that its dialogs need. */
const partsOfDialogs =
  /\/console\/(?:forms\/|ui\/.*(?:Drawer|Dialog|Confirm|DateInput|InstantInput|CheckboxGroup))|\/node_modules\/reka-ui\//

/** Every page has these before it asks for its own files. */
const firstFiles = /\/(?:index|common|icons|values|rolldown-runtime)-/

/** `vite build console` writes what the server serves; with `--watch` it does so at every change. */
export default defineConfig({
  // Neither we nor our libraries write components in Vue's older way.
  plugins: [
    vue({ features: { optionsAPI: false } }),
    tailwind(),
    schemasApart(),
    leanModules(),
    pagesWithoutSchemas(),
    brotliFiles(),
  ],
  build: {
    target: 'es2022',
    emptyOutDir: true,
    modulePreload: {
      polyfill: false, // an inline script, which the content security policy refuses
      // What the first script imports waits for it: beside the styles it would hold up the first text on a slow connection.
      resolveDependencies: (_file, imported, { hostType }) =>
        hostType === 'html' ? [] : imported.filter((name) => !firstFiles.test(name)),
    },
    rolldownOptions: {
      output: {
        // A page names the files of all its dialogs; for what is no page, a hash is name enough.
        chunkFileNames: ({ name }) =>
          `assets/${/^(?:common|icons|values|rolldown-runtime|.*Page|.*-pages)$/.test(name) ? '[name]-' : ''}[hash].js`,
        // One file of them is a tenth smaller than dozens are together: each is compressed for itself.
        codeSplitting: {
          groups: [
            // First, and each without what it is made from: schemas are made from values, and forms from both.
            {
              name: (id, graph) => (isLoadedByPages(id, graph, 1) ? 'values' : null),
              debugName: 'values',
              test: values,
              priority: 4,
              includeDependenciesRecursively: false,
            },
            {
              name: 'schemas',
              test: (id) => schemas.test(id) || values.test(id),
              priority: 3,
              includeDependenciesRecursively: false,
            },
            {
              name: (id, graph) => (isLoadedByPages(id, graph, 3) ? 'common' : null),
              debugName: 'common',
              test: ownParts,
              priority: 2,
            },
            { name: 'icons', test: /\/@lucide\//, minShareCount: 2, priority: 1 },
            {
              name: 'dialogs',
              test: partsOfDialogs,
              minShareCount: 11,
              priority: 1,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
})
