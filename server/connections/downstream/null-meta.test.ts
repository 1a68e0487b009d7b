import { expect, test } from 'bun:test'

import { bodyWithoutNullMeta, createNullMetaFilter } from './null-meta.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const textOf = (body: Uint8Array) => new TextDecoder().decode(body)

const content = [{ type: 'text', text: '"_meta": null', _meta: null }]
const answer = (meta: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content, ...meta } })

test('a null for the metadata of a result is left out, and any other stays', () => {
  expect(textOf(bodyWithoutNullMeta(bytes(answer({ _meta: null }))))).toBe(answer({}))
  const spaced = answer({}).replace('"result":{', '"result": {"_meta" : null, ')
  expect(textOf(bodyWithoutNullMeta(bytes(spaced)))).toBe(answer({}))
  for (const text of [
    answer({}),
    answer({ _meta: { own: null } }),
    '{"_meta":null}',
    '{"_meta":null',
    'null',
  ]) {
    const body = bytes(text)
    expect(bodyWithoutNullMeta(body)).toBe(body)
  }
})

test('so it is in the events of a stream, wherever its pieces are cut', () => {
  const stream = `: alive\r\nid: 1\r\nevent: message\r\ndata: ${answer({ _meta: null })}\r\n\r\ndata: {"_meta":null}\n\n`
  const expected = `: alive\nid: 1\nevent: message\ndata:${answer({})}\n\ndata: {"_meta":null}\n\n`
  for (const size of [1, 7, 64, stream.length]) {
    const filter = createNullMetaFilter()
    const pieces = stream.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
    expect(pieces.map((piece) => textOf(filter(bytes(piece)))).join('')).toBe(expected)
  }
})
