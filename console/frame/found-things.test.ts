import { expect, test } from 'bun:test'

import type { FoundThing } from '../../shared/global-search.ts'
import { foundKindLooks, searchedText, unsearchedText } from './found-things.ts'

test.each([
  [{ kind: 'service', id: 'a/b c' }, '/services/a%2Fb%20c'],
  [{ kind: 'queryKey', id: 'qk_1', title: 'a & b' }, '/query-keys?search=a+%26+b'],
  [{ kind: 'auditSubject', id: 'service:node-a' }, '/audit-log?subject=service%3Anode-a'],
  [{ kind: 'registryEntry', id: 'apis:x', chain: 'base' }, '/registry?service=apis%3Ax&on=base'],
] as const)('%j leads to %s', (thing, path) => {
  const found: FoundThing = { title: 'A name', detail: '', ...thing }
  expect(foundKindLooks[found.kind].path(found)).toBe(path)
})

test('a key that is pasted is not sent', () => {
  const value = `gqk_${'aB3'.repeat(12)}wxyz`
  expect(searchedText(` ${value} `)).toBe('gqk_…wxyz')
  expect(searchedText(`key ${value}, other`)).toBe('key gqk_…wxyz, other')
  expect(searchedText('gqk_short')).toBe('gqk_short')
})

test('says what could not be searched', () => {
  expect(unsearchedText([])).toBe('')
  expect(unsearchedText(['queryKey', 'auditSubject'])).toBe(
    'Could not search query keys, the audit log: try again shortly.',
  )
})
