import { expect, test } from 'bun:test'

import { searchPalette } from './palette-search.ts'

const items = [
  { id: 'services', title: 'Services', group: 'Go to', keywords: ['health', 'decisions'] },
  { id: 'keys', title: 'API keys', group: 'Go to' },
  { id: 'create', title: 'Create API key', group: 'Do' },
  { id: 'api', title: 'Reference of the API', group: 'Go to' },
]

test.each([
  ['', ['services', 'keys', 'create', 'api']],
  ['  API ', ['keys', 'create', 'api']],
  ['key api', ['keys', 'create']],
  ['health', ['services']],
  ['cre', ['create']],
  ['ref', ['api']],
  ['nothing of this', []],
])('"%s" finds %j', (text, ids) => {
  expect(searchPalette(items, text).map(({ id }) => id)).toEqual(ids)
})
