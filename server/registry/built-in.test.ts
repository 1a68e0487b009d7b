import { expect, test } from 'bun:test'

import { createChains } from '../chains/chains.ts'
import { builtInFiles } from './built-in.ts'
import { mcpFactsOf } from './mcp-facts.ts'
import { mergedCell } from './merge.ts'
import { createListingWords } from './index/row-words.ts'
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

test('it has what people look for first: tool servers to connect to, and nodes and APIs of the large networks', () => {
  const servers = new Set(
    index.rows.flatMap(({ listing }) => mcpFactsOf(listing)?.mcpEndpoint.toLowerCase() ?? []),
  )
  expect(servers.size).toBeGreaterThanOrEqual(60)
  const offered = index.rows.filter(({ listing }) => listing.category === 'apis')
  expect(offered.length).toBeGreaterThanOrEqual(300)
  expect(new Set(offered.flatMap(({ networks }) => networks)).size).toBeGreaterThanOrEqual(50)
})

test('a tool server that runs over stdio says how it is started and how it is bridged', () => {
  const local = index.rows.filter(({ listing }) => mergedCell(listing, 'transportType') === 'stdio')
  expect(local.length).toBeGreaterThan(0)
  for (const { listing, slug } of local) {
    expect([slug, mcpFactsOf(listing)]).toEqual([slug, null])
    const started = [
      mergedCell(listing, 'selfHostedCommand'),
      ...((mergedCell(listing, 'selfHostedArgs') ?? []) as string[]),
    ].join(' ')
    expect(mergedCell(listing, 'description')).toContain(`supergateway --stdio "${started}"`)
  }
})

test('a row with a source has the day on which it was read, and no word of either is searched', () => {
  const wordsOf = createListingWords({ ...index.snapshot, providerOf: index.providerOf })
  const sourced = index.rows.filter(({ listing }) => mergedCell(listing, 'source') !== null)
  expect(sourced.length).toBeGreaterThanOrEqual(1_000)
  for (const row of sourced) {
    expect(mergedCell(row.listing, 'source')).toStartWith('https://')
    expect(mergedCell(row.listing, 'checkedAt')).toMatch(/^20\d\d-\d\d-\d\d$/)
    expect([
      row.slug,
      wordsOf(row.listing).words.has(String(mergedCell(row.listing, 'checkedAt')).slice(0, 4)),
    ]).toEqual([row.slug, false])
  }
})

test('no address holds a key of somebody', () => {
  for (const { listing, slug } of index.rows) {
    const texts = ['actionButtons', 'mcpEndpoint'].map((column) =>
      JSON.stringify(mergedCell(listing, column)),
    )
    expect([slug, /\/[0-9a-f]{24,}|[?&](?:api_?key|token)=|\$\{/i.test(texts.join(' '))]).toEqual([
      slug,
      false,
    ])
  }
})
