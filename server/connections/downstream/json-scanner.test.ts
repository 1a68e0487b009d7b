import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { createJsonScanner } from './bodies.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const none = 1_000_000

function scanned(text: string, options: { depth?: number; values?: number; event?: number | null } = {}) {
  const { depth = none, values = none, event = null } = options
  return createJsonScanner({ maxDepth: depth, maxValues: values, maxEventBytes: event }).scan(bytesOf(text))
}

/** How deep a value is nested. */
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

test('nesting is counted as a parser would, whatever stands in strings', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
      const text = JSON.stringify(value)
      const depth = depthOf(JSON.parse(text))
      expect(scanned(text, { depth })).toBeNull()
      if (depth > 0) expect(scanned(text, { depth: depth - 1 })).toBe('depth')
    }),
  )
})

test('it does not matter how the bytes are cut into pieces', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(40), (value, at) => {
      const bytes = bytesOf(JSON.stringify(value))
      const scanner = createJsonScanner({ maxDepth: 3, maxValues: none, maxEventBytes: null })
      const inPieces = scanner.scan(bytes.subarray(0, at)) ?? scanner.scan(bytes.subarray(at))
      expect(inPieces).toBe(scanned(JSON.stringify(value), { depth: 3 }))
    }),
  )
})

describe('in a stream of events', () => {
  test('each event begins anew', () => {
    const events = 'data: [[[1]]]\n\ndata: [[[2]]]\r\n\r\n'
    expect(scanned(events, { depth: 3, event: 20 })).toBeNull()
    expect(scanned(events, { depth: 2, event: 20 })).toBe('depth')
    expect(scanned(`data: ${'a'.repeat(30)}`, { event: 20 })).toBe('event')
  })

  test.each([': "\ndata: [[[[', 'id: "\r\ndata: [[[[', 'data: "\ndata: [[[[', 'event: \\\ndata: [[[['])(
    'a quotation mark in another line hides nothing: %j',
    (text) => expect(scanned(text, { depth: 3, event: 100 })).toBe('depth'),
  )
})

test('in a document, blank lines change nothing', () => {
  expect(scanned('[\n\n[\n\n[\n\n[', { depth: 3 })).toBe('depth')
})

test('many short values are too many', () => {
  expect(scanned(`[${'[],'.repeat(100)}[]]`, { values: 100 })).toBe('body')
  expect(scanned(JSON.stringify(['a,b,c,[['.repeat(100)]), { values: 1 })).toBeNull()
})
