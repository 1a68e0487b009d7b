import { expect, test } from 'bun:test'

import { lateBody } from './late-body.ts'

test('short answers are texts, long ones come whole as a stream', async () => {
  expect(lateBody(null)).toBeNull()
  expect(lateBody('{}')).toBe('{}')
  expect(lateBody('a'.repeat(12_287))).toBeString()
  for (const text of ['a'.repeat(12_288), 'ü'.repeat(8_000), 'x'.repeat(3_000_000)]) {
    const body = lateBody(text)
    expect(body).toBeInstanceOf(ReadableStream)
    expect(await new Response(body).text()).toBe(text)
  }
})
