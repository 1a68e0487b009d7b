import { expect, test } from 'bun:test'

import { toolChanges } from './tool-changes.ts'

const tool = (name: string, changed = true) => ({
  definition: { name, description: 'now' },
  changed,
  warnings: [],
  findings: [],
  refusal: null,
})

test('says what is another one, new, gone, or cannot be compared', () => {
  const changes = toolChanges(
    { tools: [tool('same', false), tool('echo'), tool('fresh'), tool('large')], removed: ['old'] },
    [
      { name: 'echo', definition: { name: 'echo', description: 'before' } },
      { name: 'large', definition: null },
      { name: 'old', definition: { name: 'old' } },
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
