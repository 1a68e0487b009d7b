import { expect, test } from 'bun:test'

import * as z from 'zod/mini'

import { GatehouseFile } from '../../shared/gatehouse-file.ts'
import { adminResources } from './resources.ts'
import { procedures } from './test-support/procedures.ts'

/**
 * Names that people read hold no character that cannot be seen, by whatever door they come: every field of text of the file, of
 * the procedures of the console and the command line, and of REST is given some. What takes them is text of another kind, and
 * stands here.
 */
const takesThem = `
  address before chain connectionId cursor endpoint filters filters[] from keyId lastEventId method query search server
  serviceId tags tool to upstream
  description instructions text
  allow arguments[] body chainId contains content content[] deny equals folder inputResponses[] matches password requestState
  schema[] source url user
`
  .trim()
  .split(/\s+/)

const hidden = ['ab\u202Ecd', 'ab\u200Bcd', '\u{E0041}abcd', 'ab\u2066cd\u2069']

const accepts = (schema: z.core.$ZodType): boolean => hidden.some((text) => z.safeParse(schema, text).success)

type Walked = readonly [field: string, schema: z.core.$ZodType]

/** Every field of text within a schema, by its name. */
function* textsIn(schema: z.core.$ZodType, field: string, seen: Set<z.core.$ZodType>): Generator<Walked> {
  const def = schema._zod.def as unknown as Record<string, unknown>
  if (def['type'] === 'string') yield [field, schema]
  else if (seen.has(schema)) return
  seen.add(schema)
  for (const [name, inner] of partsOf(def, field)) yield* textsIn(inner, name, seen)
}

function* partsOf(def: Record<string, unknown>, field: string): Generator<Walked> {
  if (isObject(def['shape'])) yield* Object.entries(def['shape'])
  for (const part of ['innerType', 'element', 'valueType', 'in', 'left', 'right', 'catchall', 'rest'])
    if (isSchema(def[part])) yield [field, def[part]]
  if (isSchema(def['keyType'])) yield [`${field}[]`, def['keyType']]
  for (const part of ['options', 'items'])
    if (Array.isArray(def[part])) for (const one of def[part]) if (isSchema(one)) yield [field, one]
  if (typeof def['getter'] === 'function') yield [field, def['getter']() as z.core.$ZodType]
}

const isObject = (value: unknown): value is Record<string, z.core.$ZodType> =>
  typeof value === 'object' && value !== null

const isSchema = (value: unknown): value is z.core.$ZodType => isObject(value) && '_zod' in value

function* doors(): Generator<Walked> {
  yield ['file', GatehouseFile]
  for (const [name, { _def }] of Object.entries(procedures))
    for (const input of _def.inputs) yield [name, input]
  for (const { path, query, creating, changing, id } of adminResources) {
    yield [`${path}.query`, query]
    yield [`${path}.id`, id]
    for (const verb of [creating, changing]) if ('body' in verb) yield [path, verb.body]
  }
}

test('no name takes what cannot be seen, by no door', () => {
  const taking = new Set<string>()
  let count = 0
  for (const [door, schema] of doors())
    for (const [field, text] of textsIn(schema, door, new Set())) {
      count++
      if (accepts(text)) taking.add(field)
    }
  expect(count).toBeGreaterThan(300)
  expect([...taking].toSorted()).toEqual(takesThem.toSorted())
})
