import { isSpecType } from '@modelcontextprotocol/server'
import { ToolSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { listedTool } from './listed-tool.ts'

const inputSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }

test('a definition that every SDK reads is listed as it is', () => {
  const definition = {
    name: 'weather',
    title: 'Weather',
    description: 'Says what the weather is',
    inputSchema,
    outputSchema: { type: 'array', items: { type: 'string' } },
    annotations: { readOnlyHint: true, 'x-own': 1 },
    icons: [{ src: 'https://tools.example/icon.png' }],
    _meta: { own: null },
    own: null,
  }
  expect<unknown>(listedTool(definition)).toEqual(definition)
  expect(listedTool(definition)).toBe(listedTool(definition))
})

test.each([
  [
    'null for nothing',
    { description: null, annotations: null, outputSchema: null, icons: null, _meta: null },
  ],
  ['values of another type', { title: 5, icons: [{ src: 1 }], execution: { taskSupport: 'sometimes' } }],
])('members that no SDK reads are left out: %s', (_, odd) => {
  expect<unknown>(listedTool({ name: 'a', inputSchema, ...odd })).toEqual({ name: 'a', inputSchema })
})

test('what is right beside them is kept', () => {
  const annotations = { readOnlyHint: null, destructiveHint: false, title: 5 }
  const schema = {
    type: 'object',
    $schema: null,
    properties: { any: true, none: false, nothing: null },
    required: [1, 'any'],
  }
  const listed = {
    type: 'object',
    properties: { any: {}, none: { not: {} }, nothing: {} },
    required: ['any'],
  }
  const definition = { name: 'a', title: 'A', inputSchema: schema, outputSchema: schema, annotations }
  expect<unknown>(listedTool(definition)).toEqual({
    name: 'a',
    title: 'A',
    inputSchema: listed,
    outputSchema: listed,
    annotations: { destructiveHint: false },
  })
  expect(listedTool({ name: 'a', inputSchema: { properties: null, required: null } }).inputSchema).toEqual({
    type: 'object',
  })
})

const members = ['title', 'description', 'inputSchema', 'annotations', 'icons', 'execution', '_meta', 'own']

test('whatever a tool server sends, both SDKs read it', () => {
  const odd = fc.dictionary(fc.constantFrom(...members), fc.jsonValue())
  const oddSchema = fc.dictionary(
    fc.constantFrom('type', '$schema', 'properties', 'required'),
    fc.jsonValue(),
  )
  fc.assert(
    fc.property(odd, fc.option(oddSchema), (rest, schema) => {
      const outputSchema = schema === null ? {} : { outputSchema: { ...schema, type: 'object' } }
      const listed = listedTool({ ...rest, ...outputSchema, name: 'a' })
      expect(isSpecType.Tool(listed)).toBe(true)
      expect(ToolSchema.safeParse(listed).error).toBeUndefined()
    }),
  )
})
