import { expect, test } from 'bun:test'

import { hasValidHeaders } from './header-declarations.ts'

const withHeader = (name: unknown, type: unknown = 'string') => ({ type, 'x-mcp-header': name })
const object = (properties: unknown) => ({ type: 'object', properties })

test.each([
  [{}],
  [undefined],
  [object({ region: withHeader('Region') })],
  [object({ region: withHeader('Region'), priority: withHeader('Priority', 'integer') })],
  [object({ place: object({ region: withHeader('Region', 'boolean') }) })],
])('%j is valid', (schema) => expect(hasValidHeaders(schema)).toBe(true))

test.each([
  [object({ region: withHeader('') })],
  [object({ region: withHeader('with space') })],
  [object({ region: withHeader('a\r\nb') })],
  [object({ region: withHeader('a:b') })],
  [object({ region: withHeader(7) })],
  [object({ region: withHeader('Region', 'number') })],
  [object({ region: withHeader('Region', 'object') })],
  [object({ region: { 'x-mcp-header': 'Region' } })],
  [object({ one: withHeader('Region'), other: withHeader('REGION') })],
  [object({ list: { type: 'array', items: withHeader('Region') } })],
  [{ ...object({}), anyOf: [object({ region: withHeader('Region') })] }],
  [{ ...object({}), $defs: { a: withHeader('Region') } }],
  [withHeader('Region')],
])('%j is not', (schema) => expect(hasValidHeaders(schema)).toBe(false))
