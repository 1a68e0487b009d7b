import { expect, test } from 'bun:test'

import { type FoundKind, type FoundThing, foundKinds } from '../../shared/global-search.ts'
import { type SearchSource, createGlobalSearch } from './global-search.ts'
import { silentLog } from '../../scripts/world/database.ts'

const thing = (kind: FoundKind, title: string): FoundThing => ({ kind, id: title, title, detail: '' })
const nothing: SearchSource = () => []
const searchOf = (sources: Partial<Record<FoundKind, SearchSource>>) =>
  createGlobalSearch(
    {
      ...(Object.fromEntries(foundKinds.map((kind) => [kind, nothing])) as Record<FoundKind, SearchSource>),
      ...sources,
    },
    silentLog,
  )
const operator = { accountId: 'acc_1', isOperator: true }

test('the best finds of all kinds come first, and what fits by words that are not shown comes last', async () => {
  const { search } = searchOf({
    registryEntry: () => [thing('registryEntry', 'A tool'), thing('registryEntry', 'mainnet')],
    queryKey: () => [thing('queryKey', 'for mainnet')],
    service: () => [thing('service', 'mainnet one')],
  })
  const { found, unsearched } = await search(' mainnet ', operator)
  expect(found.map(({ title }) => title)).toEqual(['mainnet', 'mainnet one', 'for mainnet', 'A tool'])
  expect(unsearched).toEqual([])
})

test('a source that fails is named, and the others answer', async () => {
  const { search } = searchOf({
    service: () => [thing('service', 'mainnet')],
    queryKey: () => Promise.reject(new Error('the database is away')),
    endpoint: () => {
      throw new Error('at once')
    },
  })
  expect(await search('mainnet', operator)).toEqual({
    found: [thing('service', 'mainnet')],
    unsearched: ['endpoint', 'queryKey'],
  })
})

test('nothing but spaces finds nothing and asks nobody', async () => {
  const { search } = searchOf({
    service: () => {
      throw new Error('asked')
    },
  })
  expect(await search('  ', operator)).toEqual({ found: [], unsearched: [] })
})
