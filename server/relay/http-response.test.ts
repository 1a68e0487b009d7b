import { expect, test } from 'bun:test'

import { deferredBody } from './http-response.ts'

test('short answers are texts, long ones come whole as a stream', async () => {
  expect(deferredBody(null)).toBeNull()
  expect(deferredBody('{}')).toBe('{}')
  expect(deferredBody('a'.repeat(12_287))).toBeString()
  for (const text of ['a'.repeat(12_288), 'ü'.repeat(8_000), 'x'.repeat(3_000_000)]) {
    const body = deferredBody(text)
    expect(body).toBeInstanceOf(ReadableStream)
    expect(await new Response(body).text()).toBe(text)
  }
})
