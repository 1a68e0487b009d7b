import { describe, expect, test } from 'bun:test'

import type { SearchOutput } from '../../../shared/registry.ts'
import { createChains } from '../../chains/chains.ts'
import { builtInFiles } from '../built-in.ts'
import { createRegistryQueries } from '../queries/queries.ts'
import { loadFiles } from '../test-support/small-registry.ts'

/** Asks the product's own registry as people ask. */

const { index } = await loadFiles(await builtInFiles())
const chains = createChains()
const answers = createRegistryQueries(
  index,
  (key) => (chains.ok ? chains.chains.get(key)?.name : undefined) ?? key,
  { isAny: () => false, linked: () => null, decisionOf: () => 'UNKNOWN' },
)

function search(query: string, more: object = {}): SearchOutput {
  const answer = answers.search({ query, ...more })
  if (!answer.ok) throw new Error(answer.refusal.message)
  return answer.value
}

const cellsOf = (result: { service_id: string; chain: string }): Readonly<Record<string, unknown>> => {
  const found = answers.find({ serviceId: result.service_id, chain: result.chain })
  if (!found.ok) throw new Error(found.refusal.message)
  return found.value.snapshot
}

const isDocumentation = (result: { service_id: string; chain: string }): boolean =>
  cellsOf(result)['serverType'] === 'docs'

describe('what people call things', () => {
  test.each([
    ['avax rpc', 'avalanche'],
    ['matic node', 'polygon'],
    ['binance smart chain node', 'bsc'],
    ['rpc for chain id 8453', 'base'],
    ['eip155:42161 node', 'arbitrum'],
    ['etherium node', 'ethereum'],
    ['ripple node', 'xrpl'],
    ['zk sync rpc', 'zksync'],
    ['nodo de polygon', 'polygon'],
    ['以太坊节点', 'ethereum'],
    ['ソラナのノード', 'solana'],
    ['비트코인 노드', 'bitcoin'],
    ['нода для эфириума', 'ethereum'],
  ])('%s: nodes of %s', (query, network) => {
    const { results } = search(query)
    expect(results.length).toBeGreaterThan(0)
    for (const { category, chain } of results) expect([category, chain]).toEqual(['apis', network])
  })

  test.each([
    'fast ethereum node',
    'reliable rpc for polygon',
    'cheap ethereum endpoint',
    'node provider for bsc',
  ])('%s: nodes first, and the APIs of explorers after them', (query) => {
    for (const result of search(query).results.slice(0, 5))
      expect(String(cellsOf(result)['technology'])).toMatch(/RPC/)
  })

  test.each([
    ['block explorer', 'explorers'],
    ['explorador de bloques', 'explorers'],
    ['on-ramp', 'ramps'],
    ['buy crypto with a card', 'ramps'],
    ['price feed', 'oracles'],
    ['cross-chain transfer', 'bridges'],
    ['test tokens', 'faucets'],
    ['tool server', 'mcpservers'],
    ['portefeuille', 'wallets'],
    ['geldbörse', 'wallets'],
    ['cüzdan', 'wallets'],
    ['client library', 'sdks'],
  ])('%s: %s', (query, category) => {
    const { results } = search(query)
    expect(results.length).toBeGreaterThan(0)
    expect(new Set(results.map((result) => result.category))).toEqual(new Set([category]))
  })

  test('names that are not spelt right, and the answer says how they were read', () => {
    const { results, note } = search('chainlnk')
    expect(results[0]?.provider).toBe('Chainlink')
    expect(note).toBe('"chainlnk" was read as "chainlink".')
    expect(search('the graph').results[0]?.provider).toBe('The Graph')
    // A short word is more likely another word than a wrong one.
    expect(search('usdt').note ?? '').not.toContain('was read as')
  })
})

describe('names of networks that are ordinary words, too', () => {
  test.each([
    'wallets for bitcoin, ethereum, etc',
    'price feeds in near real time',
    'api with a ton of endpoints',
    'a wallet with dark mode',
    'explorers, wallets etc.',
    'oracle with near-instant updates',
  ])('%s: of no network by them', (query) => {
    expect(search(query).note ?? '').not.toMatch(/on [^.]*(Ethereum Classic|NEAR|TON|Mode)/)
  })

  test.each([
    ['ETC node', 'Ethereum Classic'],
    ['wallet for NEAR', 'NEAR'],
    ['near rpc', 'NEAR'],
    ['rpc on near', 'NEAR'],
    ['free tier node provider for near', 'NEAR'],
    ['near protocol explorer', 'NEAR'],
    ['best ton wallet', 'TON'],
    ['ton explorer', 'TON'],
    ['bridge from ethereum to ton', 'TON'],
    ['mode network rpc', 'Mode'],
  ])('%s: on %s', (query, network) => {
    expect(search(query).note).toMatch(new RegExp(`(?:on|between) [^.]*${network}`))
  })
})

describe('words that say more than what is looked for', () => {
  test('become filters, and the answer says which', () => {
    const archive = search('free ethereum archive node')
    expect(archive.note).toBe('Looked for: APIs, on Ethereum, free, with archive data.')
    for (const result of archive.results) expect(cellsOf(result)['historicalData']).toBe('Archive')
    for (const result of search('mcp server that needs no key').results)
      expect(cellsOf(result)['authType']).toBe('None')
    for (const result of search('websocket node for base').results)
      expect(JSON.stringify(cellsOf(result))).toMatch(/WebSocket|wss:/)
    for (const result of search('sepolia rpc').results) expect(cellsOf(result)['chain']).toBe('sepolia')
  })

  test('become an order, and the answer says so', () => {
    const { results, note } = search('cheapest polygon rpc', { limit: 20 })
    expect(note).toBe('Looked for: APIs, on Polygon PoS, the cheapest first.')
    const isFree = results.map(({ price_hint: price }) => price?.includes('$0') === true)
    expect(isFree).toEqual(isFree.toSorted((one, other) => Number(other) - Number(one)))
  })

  test('that no service meets are named, with those that meet the rest', () => {
    const { results, note } = search('free onramp')
    expect(results.map(({ category }) => category)).not.toContain('apis')
    expect(note).toEndWith('No service is all of that; these are not: free.')
  })

  test.each([
    ['faucet BTC testnet', 'on Bitcoin'],
    ['free faucet for cardano', 'on Cardano'],
  ])('%s: that some meet, but none with all the rest, are named as what the first lacks', (query, missed) => {
    const { results, note } = search(query)
    expect(results[0]?.category).toBe('faucets')
    expect(note).toContain('No service is all of that; ')
    expect(note).toEndWith(`not: ${missed}.`)
  })

  test('that one service meets with all the rest are not named', () => {
    for (const query of ['free ethereum archive node', 'sepolia faucet', 'bridge from ethereum to solana'])
      expect(search(query).note).not.toContain('No service')
  })
})

describe('a page', () => {
  test('has each service once, with its networks and its other plans', () => {
    const { results } = search('helius')
    const ids = results.map(({ service_id: id }) => id)
    const plans = results.find(({ category }) => category === 'apis')?.plans ?? []
    expect(plans.length).toBeGreaterThan(0)
    expect(ids.filter((id) => plans.includes(id))).toEqual([])
    const ofProvider = search('helius', { category: 'apis', filters: { provider: 'Helius' } }).results
    expect(ofProvider.map(({ service_id: id }) => id)).toEqual(expect.arrayContaining([...plans]))
  })

  test('names the chain that is asked for first, and how many there are beside those it has room for', () => {
    const [pyth] = search('pyth oracle on sui').results
    expect(pyth?.networks[0]).toBe('sui')
    const [hive] = search('hive intelligence mcp').results
    expect(hive?.networks).toHaveLength(12)
    expect(hive?.network_count).toBe(index.snapshot.networks.length)
  })

  test('has documentation below tools, unless it is asked for', () => {
    expect(search('mcp server for base').results.slice(0, 5).some(isDocumentation)).toBe(false)
    expect(search('documentation mcp server').results.slice(0, 5).every(isDocumentation)).toBe(true)
  })
})

describe('a word for a category beside another category that is asked for', () => {
  test.each(['wallet', 'block explorer', 'bridge', 'price oracle', 'rpc', 'faucet', 'security', 'analytics'])(
    'mcpservers, %s: is a word',
    (query) => {
      const { results } = search(query, { category: 'mcpservers' })
      expect(results.length).toBeGreaterThan(0)
      expect(new Set(results.map(({ category }) => category))).toEqual(new Set(['mcpservers']))
      expect(search(query).results.map(({ category }) => category)).not.toContain('mcpservers')
    },
  )

  test('beside its own it says nothing that all do not fulfil', () => {
    const { total, note } = search('crypto wallet', { category: 'wallets' })
    expect(total).toBe(search('', { category: 'wallets' }).total)
    expect(note).toBe('Looked for: Wallets.')
    expect(search('ethereum solana', { category: 'mcpservers' }).note).not.toContain('Bridges')
  })

  test('of which there is none: what there would be without is what is found without', () => {
    const { total, note } = search('sdk', { category: 'mcpservers' })
    expect(total).toBe(0)
    expect(note).toEndWith(`without the category there would be ${search('sdk').total}.`)
  })
})

describe('nothing fits', () => {
  test('of the chains there are: it says which chain is not there, and what would fit', () => {
    const { results, note } = search('hedera rpc')
    expect(results).toEqual([])
    expect(note).toMatch(
      /^Nothing fits: nothing here is on .+; without it there would be \d+\. discover_networks/,
    )
  })

  test('within what was narrowed down: it says what there would be without', () => {
    const { results, note } = search('metamask', { category: 'oracles' })
    expect(results).toEqual([])
    expect(note).toMatch(/Nothing fits; without the category there would be \d+\.$/)
  })

  test('of the words: it names them', () => {
    expect(search('qqzzxx').note).toStartWith(
      'Nothing here has "qqzzxx". Nothing fits; there are the categories ',
    )
  })
})
