import { expect, test } from 'bun:test'
import { parseAst } from 'vite'

import { schemasApart } from './schemas-apart.ts'

const file = '/src/shared/keys.ts'
const code = `
import * as z from 'zod/mini'
import { text } from './text.ts'
import { Chain } from './chains.ts'
import { dayMs } from './durations.ts'
export const bounds = { name: 80, age: 3 * dayMs }
const titles = new Map([['a', 'A']])
export const titleOf = (id) => titles.get(id)
const name = text({ max: bounds.name })
export const Key = z.object({ name, chain: Chain, title: z.string() })
export function isKey(value) { return z.safeParse(Key, value).success }
export const labels = { text: 'Text', Key: 'Key' }
`

interface Context {
  readonly parse: typeof parseAst
}
type Transform = (this: Context, code: string, id: string) => { code: string } | null

function partOf(id: string): string {
  const { transform } = schemasApart()
  const done = (transform as unknown as Transform).call({ parse: parseAst }, code, id)
  return done?.code ?? 'as it was'
}

test('a file of shared schemas is both of its parts', () => {
  expect(partOf(file).split('\n')).toEqual([
    `export * from "${file}?part=values"`,
    `export * from "${file}?part=schemas"`,
  ])
  expect(partOf('/src/console/keys.ts')).toBe('as it was')
})

test('constants and functions stand apart from what needs zod, be it through others', () => {
  const values = partOf(`${file}?part=values`)
  expect(values).toContain('export const bounds')
  expect(values).toContain('titleOf')
  expect(values).toContain('export const labels') // its keys are no mentions
  expect(values).not.toMatch(/z\.|isKey|text\(/)

  const schemas = partOf(`${file}?part=schemas`)
  expect(schemas).toContain(`import { bounds } from "${file}?part=values"`)
  expect(schemas).toContain('export function isKey')
  expect(schemas).not.toContain('titleOf')
})

test('what a call makes is dropped where nothing uses it', () => {
  expect(partOf(`${file}?part=values`)).toContain(
    "const titles = /* @__PURE__ */ (() => (new Map([['a', 'A']])))()",
  )
  expect(partOf(`${file}?part=schemas`)).toContain('const name = /* @__PURE__ */ (() => (text({')
  expect(partOf(`${file}?part=values`)).toContain('export const titleOf = (id) => titles.get(id)')
})
