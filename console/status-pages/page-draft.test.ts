import { expect, test } from 'bun:test'

import { draftOfPage, moved, readPageDraft } from './page-draft.ts'

const groups = [{ name: 'Ethereum', services: [{ id: 'node-a', as: ' ' }] }]

test('a page is read as it is typed, and begins unpublished', () => {
  const draft = {
    ...draftOfPage(null),
    page: ' main ',
    title: 'Acme',
    hosts: ['Status.Acme.example'],
    groups,
  }
  const reading = readPageDraft(draft, true)
  expect(reading.kind === 'value' && reading.value).toEqual({
    isNew: true,
    spec: {
      page: 'main',
      title: 'Acme',
      published: false,
      listed: true,
      hosts: ['status.acme.example'],
      groups: [{ name: 'Ethereum', services: [{ id: 'node-a' }] }],
    },
  })
})

test('what is missing or wrong is told at its field', () => {
  const reading = readPageDraft({ ...draftOfPage(null), hosts: ['https://x'] }, true)
  expect(reading.kind === 'wrong' && reading.errors).toMatchObject({
    page: 'Enter a name, which is the end of its address.',
    title: 'Enter a title, which visitors read first.',
    groups: 'Add at least one service to each group.',
    hosts: expect.stringContaining('host name'),
  })
})

test('an entry moves by one place, and not beyond the ends', () => {
  expect(moved(['a', 'b', 'c'], 2, -1)).toEqual(['a', 'c', 'b'])
  expect(moved(['a', 'b', 'c'], 0, -1)).toEqual(['a', 'b', 'c'])
  expect(moved(['a', 'b', 'c'], 2, 1)).toEqual(['a', 'b', 'c'])
})
