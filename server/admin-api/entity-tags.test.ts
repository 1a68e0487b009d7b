import { expect, test } from 'bun:test'

import { Fault } from '../platform/fault.ts'
import { createEntityTags, requireMatch } from './entity-tags.ts'

const { tagOf } = createEntityTags(Buffer.alloc(32, 1))

function codeOf(work: () => void): string {
  try {
    work()
  } catch (error) {
    if (error instanceof Fault) return error.code
    throw error
  }
  return 'done'
}

test('a tag depends on every field, and not on their order', () => {
  const tag = tagOf('services', 'a', { name: 'x', nested: { one: 1, two: [1, 2] } })
  expect(tagOf('services', 'a', { nested: { two: [1, 2], one: 1 }, name: 'x' })).toBe(tag)
  expect(tagOf('services', 'a', { nested: { two: [2, 1], one: 1 }, name: 'x' })).not.toBe(tag)
  expect(tagOf('services', 'b', { name: 'x', nested: { one: 1, two: [1, 2] } })).not.toBe(tag)
  expect(tag).toMatch(/^"[\w-]{22}"$/)
  expect(createEntityTags(Buffer.alloc(32, 2)).tagOf('services', 'a', {})).not.toBe(
    tagOf('services', 'a', {}),
  )
})

test('a change is made when one of the tags is that of now', () => {
  const tag = '"now"'
  for (const sent of [undefined, '*', '"now"', 'W/"now"', '"before", "now"'])
    expect([sent, codeOf(() => requireMatch(sent, tag))]).toEqual([sent, 'done'])
  for (const sent of ['"before"', '""', 'W/"before"', '"no", "now2"'])
    expect([sent, codeOf(() => requireMatch(sent, tag))]).toEqual([sent, 'precondition_failed'])
})
