import { expect, test } from 'bun:test'

import { toolChanges } from './tool-changes.ts'

const tool = (name: string, changed = true) => ({
  definition: { name, description: 'now' },
  changed,
  warnings: [],
  findings: [],
  refusal: null,
})

const accepted = (name: string, definition: unknown, now: unknown) => ({
  name,
  isNew: false,
  definition,
  now,
  findings: [],
})

test('says what is another one, new, gone, or cannot be compared', () => {
  const changes = toolChanges(
    { tools: [tool('same', false), tool('echo'), tool('fresh'), tool('large')], removed: ['old'] },
    [
      accepted('echo', { name: 'echo', description: 'before' }, tool('echo').definition),
      { ...accepted('fresh', null, tool('fresh').definition), isNew: true },
      accepted('large', null, null),
      accepted('old', { name: 'old' }, null),
    ],
  )
  expect(changes.map(({ name, kind }) => [name, kind])).toEqual([
    ['echo', 'changed'],
    ['fresh', 'new'],
    ['large', 'unknown'],
    ['old', 'removed'],
  ])
  expect(changes[0]?.lines.filter(({ kind }) => kind !== 'same')).toEqual([
    { kind: 'removed', text: '  "description": "before"' },
    { kind: 'added', text: '  "description": "now"' },
  ])
})

test('shows what others are listed otherwise, because it is accepted with the rest', () => {
  const changes = toolChanges({ tools: [tool('echo'), tool('same', false)], removed: [] }, [
    accepted('echo', { name: 'echo', description: 'before' }, tool('echo').definition),
    accepted('echo', { name: 'echo', description: 'before' }, { name: 'echo', description: 'to others' }),
    accepted('same', { name: 'same', description: 'now' }, { name: 'same', description: 'to others' }),
    { ...accepted('asks', null, { name: 'asks' }), isNew: true },
  ])
  expect(changes.map(({ name, kind }) => [name, kind])).toEqual([
    ['echo', 'changed'],
    ['echo', 'changed'],
    ['same', 'changed'],
    ['asks', 'new'],
  ])
  expect(changes[1]?.lines.map(({ text }) => text)).toContain('  "description": "to others"')
})
