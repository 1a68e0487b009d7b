import tailwind from '@tailwindcss/vite'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'

import { droppableSchemas } from './build/droppable-schemas.ts'

/**
 * Of the console, its icons, and what it shares with the server; without what is opened on top of pages, and without the
 * alerts, whose parts and schemas are shared by what opens on their own page.
 */
const partsOfPages =
  /\/console\/(?!forms\/|alerts\/|.*(?:Drawer|Dialog|Confirm|TagList|DateInput))|\/@lucide\/|\/shared\/(?!alert|deliveries)/

/** `vite build console` writes what the server serves; with `--watch` it does so at every change. */
export default defineConfig({
  // Neither we nor our libraries write components in Vue's older way.
  plugins: [vue({ features: { optionsAPI: false } }), tailwind(), droppableSchemas()],
  build: {
    target: 'es2022',
    emptyOutDir: true,
    modulePreload: { polyfill: false }, // an inline script, which the content security policy refuses
    rolldownOptions: {
      output: {
        // One file of them is a tenth smaller than dozens are together: each is compressed for itself.
        codeSplitting: { groups: [{ name: 'common', test: partsOfPages, minShareCount: 4 }] },
      },
    },
  },
})
