import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { isCallToolResult } from '@modelcontextprotocol/server'
import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { readableResult } from './readable-result.ts'

const text = { type: 'text', text: 'x' } as const
const contentOf = (content: unknown) => readableResult({ content }).content

test('nulls for "nothing" are left out, and everything else is kept', () => {
  const resource = { uri: 'file:///x', mimeType: null, text: 'x', _meta: { own: null } }
  expect(
    readableResult({
      content: [
        { ...text, annotations: null, _meta: null },
        { type: 'resource', resource, annotations: { audience: null } },
      ],
      structuredContent: null,
      isError: null,
      _meta: null,
      own: [null],
    }),
  ).toEqual({
    content: [text, { type: 'resource', resource: { uri: 'file:///x', text: 'x', _meta: { own: null } } }],
    own: [null],
  })
})

test('an error stays one, and structured content beside an odd block stays', () => {
  const kept = { structuredContent: { height: 7 }, isError: true, _meta: { own: 1 } }
  expect(readableResult({ content: [{ ...text, annotations: { priority: 2 } }], ...kept })).toEqual({
    content: [text],
    ...kept,
  })
})

test.each<[string, unknown, unknown]>([
  ['a text', 'hello', [{ type: 'text', text: 'hello' }]],
  ['nothing', null, []],
  ['one block', text, [text]],
  ['a day without a time', [{ ...text, annotations: { lastModified: '2025-01-12' } }], [text]],
  ['a number', [{ type: 'text', text: 42 }], [{ type: 'text', text: '{"type":"text","text":42}' }]],
])('content that is %s is read', (_, content, expected) => {
  expect(contentOf(content)).toEqual(expected as ReturnType<typeof contentOf>)
})

test('a block of a type that no client knows is shown as its JSON, and cut', () => {
  const film = { type: 'video', mimeType: 'video/mp4', data: 'A'.repeat(20_000) }
  const [shown] = contentOf([film])
  expect(shown?.type === 'text' && shown.text).toStartWith(
    '{"type":"video","mimeType":"video/mp4","data":"AAAA',
  )
  expect(JSON.stringify(shown).length).toBeLessThan(11_000)
})

test('pictures come in the alphabet that clients read', () => {
  const picture = { type: 'image', mimeType: 'image/png', data: 'AA+/' } as const
  for (const data of ['data:image/png;base64,AA+/', 'AA-_'])
    expect(contentOf([{ ...picture, data }])).toEqual([picture])
})

test('whatever a tool server answers, both SDKs read it', () => {
  const block = fc.dictionary(
    fc.constantFrom('type', 'text', 'data', 'mimeType', 'resource', 'uri', 'name', 'annotations', '_meta'),
    fc.oneof(fc.constantFrom('text', 'image', 'resource', 'resource_link'), fc.jsonValue()),
  )
  const members = fc.constantFrom('content', 'isError', 'structuredContent', '_meta', 'own')
  const result = fc.dictionary(members, fc.oneof(fc.array(block), fc.jsonValue()))
  fc.assert(
    fc.property(result, (answered) => {
      const read = readableResult(answered)
      expect(isCallToolResult(read)).toBe(true)
      expect(CallToolResultSchema.safeParse(read).error).toBeUndefined()
    }),
  )
})
