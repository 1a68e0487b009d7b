import tailwind from '@tailwindcss/vite'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'

/** `vite build console` writes what the server serves; with `--watch` it does so at every change. */
export default defineConfig({
  plugins: [vue(), tailwind()],
  build: {
    target: 'es2022',
    emptyOutDir: true,
    modulePreload: { polyfill: false }, // an inline script, which the content security policy refuses
  },
})
