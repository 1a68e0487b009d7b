import { describe, expect, test } from 'bun:test'

import { createQuotedSecret } from '../downstream/quoted-secret.ts'
import { createAnswerSecrets } from './answer-secrets.ts'

const secret = 'canary-0123456789'
const shown = 'Bearer [secret]'
const bytes = (text: string) => new TextEncoder().encode(text)
const text = (body: Uint8Array) => new TextDecoder().decode(body)

function secretsOf(showsSecrets = false) {
  let quotes = 0
  const quoted = createQuotedSecret(secret, () => quotes++)
  if (quoted === null) throw new Error('the secret is too short')
  return { ...createAnswerSecrets(quoted, showsSecrets), quotes: () => quotes }
}

const answer = (says: string, more: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  result: { content: [{ type: 'text', text: says }], ...more },
})

const hidden = (body: string, showsSecrets = false) => text(secretsOf(showsSecrets).hiddenInBody(bytes(body)))

describe('a body', () => {
  test('without the secret is passed on byte for byte', () => {
    const body = bytes(' {"id": 12345678901234567890, "result": {"a": 1e400}}\r\n')
    expect(secretsOf().hiddenInBody(body)).toBe(body)
  })

  test('loses the secret, however JSON writes it, and in batches', () => {
    const quoting = answer(`Bearer ${secret}`)
    expect(JSON.parse(hidden(JSON.stringify(quoting)))).toEqual(answer(shown))
    expect(JSON.parse(hidden(JSON.stringify([quoting])))).toEqual([answer(shown)])
    const escaped = JSON.stringify(quoting).replace('canary', String.raw`\u0063anar\u0079`)
    expect(JSON.parse(hidden(escaped))).toEqual(answer(shown))
  })

  test('that is no JSON loses it, too', () => {
    expect(hidden(`<p>Bearer ${secret}</p>`)).toBe(`<p>${shown}</p>`)
  })

  test('may hold it in a result where its owner lets it; errors never may', () => {
    const result = JSON.stringify(answer(secret))
    expect(hidden(result, true)).toBe(result)
    expect(hidden(JSON.stringify(answer(secret, { isError: true })), true)).not.toContain(secret)
    const error = { jsonrpc: '2.0', id: 1, error: { code: -32_000, message: secret, data: { [secret]: 1 } } }
    expect(hidden(JSON.stringify(error), true)).not.toContain(secret)
  })

  test('loses it beside the result, too', () => {
    const quoting = { ...answer('done'), debug: { authorization: `Bearer ${secret}` } }
    for (const showsSecrets of [false, true]) {
      expect(JSON.parse(hidden(JSON.stringify(quoting), showsSecrets))).toEqual({
        ...answer('done'),
        debug: { authorization: shown },
      })
    }
  })

  test('keeps the state of a call that waits, which is for its server alone', () => {
    const waiting = { resultType: 'input_required', requestState: secret, note: secret }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, result: waiting })
    expect(JSON.parse(hidden(body)).result).toEqual({ ...waiting, note: '[secret]' })
  })
})

/** Passes a stream on in pieces of `size` bytes. */
function passed(stream: string, size: number): string {
  const hide = secretsOf().hiddenInEvents()
  const all = bytes(stream)
  let out = ''
  for (let from = 0; from < all.length; from += size) out += text(hide(all.slice(from, from + size)))
  return out
}

describe('an event stream', () => {
  test.each([1, 2, 3, 7, 1_000])('loses the secret in pieces of %d bytes', (size) => {
    const quoting = JSON.stringify(answer(`é Bearer ${secret}`))
    const stream = `: hello\n\nid: 7\nevent: message\ndata: ${quoting}\n\ndata: {"a":1}\n\n`
    const expected = `: hello\n\nid: 7\nevent: message\ndata: ${JSON.stringify(answer(`é ${shown}`))}\n\ndata: {"a":1}\n\n`
    expect(passed(stream, size)).toBe(expected)
  })

  test.each(['\n', '\r\n', '\r'])('ends lines with %j', (end) => {
    const stream = ['data: {"a":', `data:"${secret}"}`, '', 'data: x', '', ''].join(end)
    expect(passed(stream, 1)).toBe('data: {"a":"[secret]"}\n\ndata: x\n\n')
  })

  test('loses the secret outside of its data, too', () => {
    const stream = `: asked with ${secret}\n\nid: ${secret}\nevent: message\ndata: {}\n\nretry: 1\nid: ${secret}\ndata: ${secret}\n\n`
    expect(passed(stream, 5)).toBe(stream.replaceAll(secret, '[secret]'))
  })

  test('passes comments on at once, and an event when it has ended', () => {
    const hide = secretsOf().hiddenInEvents()
    expect(text(hide(bytes('data: {}\n')))).toBe('')
    expect(text(hide(bytes(': still here\n')))).toBe(': still here\n')
    expect(text(hide(bytes('\n')))).toBe('data: {}\n\n')
  })
})

test('the owner is told of what was quoted', () => {
  const secrets = secretsOf()
  secrets.hiddenInBody(bytes('{"result":"nothing"}'))
  expect(secrets.quotes()).toBe(0)
  secrets.hiddenInBody(bytes(JSON.stringify(answer(secret))))
  expect(secrets.quotes()).toBe(1)
})
