import { expect, test } from 'bun:test'

import { ownRegistry } from '../gateway/test-support/gateway-dependencies.ts'
import { mostOfKind } from '../global-search/global-search.ts'
import { answersAbout, someServices } from '../registry/test-support/some-services.ts'
import { createEntrySource } from './search-sources.ts'

test('every service of the built-in registry is found by its title and by its id', async () => {
  const registry = await ownRegistry()
  const find = createEntrySource(registry)
  const names = registry.serviceNames()
  expect(names.length).toBeGreaterThan(400)
  const missed = names.filter(({ serviceId, title }) => {
    const byTitle = find(title)
    const isFull = byTitle.length === mostOfKind && byTitle.every((thing) => thing.title === title)
    const byId = find(serviceId)
    return !(isFull || byTitle.some(({ id }) => id === serviceId)) || byId[0]?.id !== serviceId
  })
  expect(missed).toEqual([])
})

test('a service of several titles is found by each, once; what only the search knows fills up', async () => {
  const find = createEntrySource(
    await answersAbout({
      ...someServices,
      'ethereum/faucets': [{ slug: 'drops', provider: 'Drops', chain: 'sepolia' }],
      'base/faucets': [{ slug: 'drops', provider: 'Drops', chain: 'testnet' }],
    }),
  )
  expect(find('drops (testnet)')).toMatchObject([
    { id: 'faucets:drops', title: 'Drops (testnet)', chain: 'base' },
  ])
  expect(find('drops (sepolia)')).toMatchObject([
    { id: 'faucets:drops', title: 'Drops (sepolia)', chain: 'ethereum' },
  ])
  expect(find('drops').map(({ id }) => id)).toEqual(['faucets:drops'])
  expect(find('documentation').map(({ id }) => id)).toEqual(['mcpservers:docs-mcp'])
})

test('another registry that becomes active is searched from then on', async () => {
  const [first, second] = [
    await answersAbout({ 'ethereum/apis': [{ slug: 'one', provider: 'One' }] }),
    await answersAbout({ 'ethereum/apis': [{ slug: 'two', provider: 'Two' }] }),
  ]
  let active = first
  const find = createEntrySource({
    serviceNames: () => active.serviceNames(),
    search: (input) => active.search(input),
  })
  expect(find('one').map(({ id }) => id)).toEqual(['apis:one'])
  active = second
  expect(find('two').map(({ id }) => id)).toEqual(['apis:two'])
  expect(find('one')).toEqual([])
})
