import { expect, test } from 'bun:test'

import { leanModules } from './lean-modules.ts'

type Transform = (code: string, id: string) => { code: string } | null

function leanOf(code: string, id: string): string {
  const transform = leanModules().transform as unknown as Transform
  return transform(code, id)?.code ?? code
}

test('an icon keeps what is drawn, and what styles know it by', () => {
  const icon = `const __iconData = {
  name: "rows-3",
  size: 24,
  node: [
    ["rect", { width: "18", height: "18", key: "afitv7" }],
    ["path", { d: "M21 9H3", key: "1338ky" }]
  ],
  aliases: ["panels-top-bottom"]
};`
  const lean = leanOf(icon, '/src/node_modules/@lucide/vue/dist/esm/icons/rows-3.mjs')
  expect(lean.replace(/\s+/g, ' ')).toBe(
    'const __iconData = { name: "rows-3", size: 24, node: [ ["rect", { width: "18", height: "18" }], ["path", { d: "M21 9H3" }] ] };',
  )
})

test('a component loses the name that only tools show, and nothing else does', () => {
  const component = `defineComponent({\n  __name: 'DataTable',\n  props: { key: "rows" } })`
  const lean = `defineComponent({\n  \n  props: { key: "rows" } })`
  expect(leanOf(component, '/src/console/ui/DataTable.vue')).toBe(lean)
  expect(leanOf(component, '/src/console/ui/DataTable.vue?vue&type=script&setup=true&lang.ts')).toBe(lean)
  expect(leanOf(component, '/src/console/ui/table.ts')).toBe(component)
})

test('the class for WebSocket links of tRPC loses the counter for which bundlers would keep it', async () => {
  const folder = `${import.meta.dir}/../../node_modules/@trpc/client/dist/`
  const [name = ''] = [...new Bun.Glob('wsLink-*.mjs').scanSync(folder)]
  const code = await Bun.file(folder + name).text()
  expect(leanOf(code, folder + name).length).toBeLessThan(code.length)
})
