import { expect, test } from 'bun:test'

import { createChains } from '../chains/chains.ts'
import { builtInFiles } from './built-in.ts'
import { mcpFactsOf } from './mcp-facts.ts'
import { loadFiles } from './test-support/small-registry.ts'
import { covers } from '../../tests/support/covers.ts'

const { index, counts, problems } = await loadFiles(await builtInFiles())

test('the product`s own registry is imported without a row left out or changed', () => {
  expect(problems).toEqual([])
  expect(counts).toMatchObject({ leftOut: 0, changed: 0 })
})

test('it has more than 55 networks, all of them chains that we know', () => {
  covers('chain-keys-canonical', 'chain-count')
  expect(counts.networks).toBeGreaterThanOrEqual(55)
  const created = createChains()
  if (!created.ok) throw new Error('the built-in chains have mistakes')
  const unknown = index.snapshot.networks.filter((network) => created.chains.get(network) === undefined)
  expect(unknown).toEqual([])
})

test('it has every category, and nodes or explorers for every network', () => {
  covers('categories-named')
  expect(index.categories).toEqual(
    [...index.snapshot.categories.keys()].toSorted(), // those that are described are there, and the other way round
  )
  for (const category of [
    'apis',
    'explorers',
    'ramps',
    'oracles',
    'bridges',
    'wallets',
    'security',
    'mcpservers',
  ]) {
    expect(index.categories).toContain(category)
  }
  for (const [place, network] of index.snapshot.networks.entries()) {
    const categories = [...(index.entriesOfNetwork[place] ?? [])].map(
      (entry) => index.categories[index.categoryOfRow[index.rowOfEntry[entry] ?? 0] ?? 0],
    )
    expect([network, categories.some((category) => category === 'apis' || category === 'explorers')]).toEqual(
      [network, true],
    )
  }
})

test('every row has a provider that is described, and a link that can be opened', () => {
  const poor = index.rows.filter(({ listing }) => {
    const texts = JSON.stringify([...listing.cells, ...(listing.offer?.cells ?? [])])
    return index.providerOf(listing) === null || !texts.includes('https://')
  })
  expect(poor.map(({ listing, slug }) => `${listing.file} ${slug}`)).toEqual([])
})

test('it has MCP servers of both transports, some of which need no key', () => {
  const servers = index.rows.flatMap(({ listing }) => mcpFactsOf(listing) ?? [])
  expect(servers.some(({ transportType }) => transportType === 'sse')).toBe(true)
  expect(servers.some(({ transportType, authRequired }) => transportType === 'http' && !authRequired)).toBe(
    true,
  )
  for (const { mcpEndpoint } of servers) expect(mcpEndpoint).toStartWith('https://')
})
