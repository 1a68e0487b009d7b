import { describe, expect, test } from 'bun:test'

import * as z from 'zod/mini'

import { Fault } from '../fault.ts'
import { readChange } from './read-change.ts'

const Change = z.strictObject({
  name: z.optional(z.string()),
  labels: z.optional(z.array(z.string())),
  note: z.optional(z.nullable(z.string())),
})
const read = {
  name: 'node',
  labels: ['a', 'b'],
  managedBy: 'operator',
  seen: { at: 5, by: 'x' },
  calls: 0,
}
/** JSON leaves out what is undefined. */
const shown = { ...read, left: undefined }

function messageOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof Fault) return `${error.code}: ${error.message}`
    throw error
  }
  return 'taken'
}

describe('of a thing that is sent back as it was read', () => {
  test('the edited field is the change', () => {
    expect(readChange(Change, { ...read, name: 'other' }, shown)).toEqual({ name: 'other' })
    expect(readChange(Change, { ...read, labels: ['b', 'a'] }, shown)).toEqual({ labels: ['b', 'a'] })
    expect(readChange(Change, { ...read, note: null }, shown)).toEqual({ note: null })
  })

  test('nothing is changed when nothing was edited, whatever the order of its fields', () => {
    expect(readChange(Change, { ...read, seen: { by: 'x', at: 5 } }, shown)).toBeNull()
  })

  test('a field that nobody changes is refused by its name when it is another one', () => {
    for (const edited of [{ managedBy: 'file' }, { calls: 1 }, { seen: { at: 6, by: 'x' } }, { left: 1 }]) {
      const [name = ''] = Object.keys(edited)
      expect(messageOf(() => readChange(Change, { ...read, ...edited }, shown))).toBe(
        `invalid_request: body: unknown field ${name}`,
      )
    }
  })

  test('fields of every object are as unknown as others', () => {
    const body = JSON.parse('{"constructor":{},"toString":1}') as Record<string, unknown>
    expect(messageOf(() => readChange(Change, body, shown))).toContain('unknown fields constructor, toString')
  })
})

test('an empty body is no change that can be meant', () => {
  expect(messageOf(() => readChange(Change, {}, shown))).toBe(
    'invalid_request: body: expected at least one field',
  )
})

test('a change of one field at a time may come with the others as they are', () => {
  const One = Change.check(z.refine((change) => Object.keys(change).length === 1, { error: 'one only' }))
  expect(readChange(One, { ...read, name: 'other' }, shown)).toEqual({ name: 'other' })
  expect(messageOf(() => readChange(One, { name: 'other', labels: [] }, shown))).toContain('one only')
})

test('which kind of thing it is stays said', () => {
  const Kinds = z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('mail'), to: z.optional(z.string()) }),
    z.strictObject({ type: z.literal('hook'), url: z.optional(z.string()) }),
  ])
  const mail = { type: 'mail', to: 'a', sent: 3 }
  expect(readChange(Kinds, { ...mail, to: 'b' }, mail)).toEqual({ type: 'mail', to: 'b' })
  expect(readChange(Kinds, mail, mail)).toBeNull()
})
