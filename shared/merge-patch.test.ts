import { expect, test } from 'bun:test'

import * as z from 'zod/mini'

import { mergePatchOf, mergePatched } from './merge-patch.ts'

const Whole = z.strictObject({
  name: z.string(),
  title: z.string(),
  tags: z._default(z.array(z.string()), []),
  note: z.optional(z.string()),
})
const Patch = mergePatchOf(Whole, ['name'])

test('nothing is filled in that was not named', () => {
  expect(z.parse(Patch, {})).toEqual({})
  expect(z.parse(Patch, { title: 'x' })).toEqual({ title: 'x' })
})

test('null takes away what may be left out, and nothing else', () => {
  const whole = { name: 'a', title: 't', tags: ['x'], note: 'n' }
  const patch = z.parse(Patch, { tags: null, note: null })
  expect(z.parse(Whole, mergePatched(whole, patch))).toEqual({ name: 'a', title: 't', tags: [] })
  expect(whole.tags).toEqual(['x'])
  expect(z.safeParse(Patch, { title: null }).success).toBe(false)
})

test('what stays for ever, and what is unknown, is refused', () => {
  expect(z.safeParse(Patch, { name: 'b' }).success).toBe(false)
  expect(z.safeParse(Patch, { colour: 'red' }).success).toBe(false)
})
