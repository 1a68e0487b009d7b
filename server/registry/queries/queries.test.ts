import { describe, expect, test } from 'bun:test'

import type { RegistryAnswer } from '../../../shared/registry.ts'
import { answersAbout, someServices } from '../test-support/some-services.ts'
import { covers } from '../../../tests/support/covers.ts'

const answers = await answersAbout()

function valueOf<Value>(answer: RegistryAnswer<Value>): Value {
  if (!answer.ok) throw new Error(answer.refusal.message)
  return answer.value
}

const found = (asked: object): string[] =>
  valueOf(answers.search(asked)).results.map(({ service_id: id, chain }) => `${id}@${chain}`)

function refusalOf(answer: RegistryAnswer<unknown>) {
  if (answer.ok) throw new Error('this was answered')
  return answer.refusal
}

describe('discovery', () => {
  test('networks come with their names and how much stands on them', () => {
    covers('tool-discover-networks', 'tool-discover-networks-input')
    expect(answers.discoverNetworks()).toEqual({
      networks: [
        { chain: 'base', name: 'Base', services: 3 },
        { chain: 'ethereum', name: 'Ethereum', services: 7 },
      ],
      total: 2,
    })
  })

  test('the categories of a chain, with a few of the providers', () => {
    covers('tool-discover-categories', 'categories-depend-on-chain')
    expect(valueOf(answers.discoverCategories({ chain: 'ethereum' }))).toEqual({
      chain: 'ethereum',
      categories: [
        { category: 'apis', label: 'APIs', services: 4, sample_providers: ['Acme Nodes', 'Bolt'] },
        {
          category: 'mcpservers',
          label: 'mcpservers',
          services: 3,
          sample_providers: ['Acme Nodes', 'Bolt'],
        },
      ],
    })
  })

  test('an unknown chain is refused with the names that may have been meant', () => {
    expect(refusalOf(answers.discoverCategories({ chain: 'etherium' }))).toEqual({
      code: 'unknown_chain',
      message: 'there is no chain "etherium"; known: ethereum, base',
      known: ['ethereum', 'base'],
      at: [['chain']],
    })
    expect(refusalOf(answers.discoverCategories({})).message).toBe('chain: required, expected a text')
  })
})

/** The links of a row whose address programs may call. */
const endpoint = (url: string) => JSON.stringify([`[Docs](https://docs.example/)`, `[Endpoint](${url})`])

describe('public nodes', () => {
  test('are the addresses of a chain that need no key, each once', async () => {
    const one = await answersAbout({
      'ethereum/apis': [
        {
          slug: 'acme',
          provider: 'Acme',
          planType: 'Public',
          actionButtons: endpoint('https://a.example/eth'),
        },
        {
          slug: 'acme-too',
          provider: 'Acme',
          planType: 'Free',
          actionButtons: endpoint('https://a.example/eth'),
        },
        { slug: 'paid', provider: 'Bolt', planType: 'Tiered', actionButtons: endpoint('https://b.example/') },
        { slug: 'test', provider: 'Cove', chain: 'sepolia', actionButtons: endpoint('https://c.example/') },
        { slug: 'site', provider: 'Dune', actionButtons: '["[Website](https://d.example/)"]' },
        { slug: 'eve', provider: 'Eve', chain: 'mainnet', actionButtons: endpoint('https://e.example/') },
      ],
    })
    expect(one.publicNodes('ethereum').map(({ provider, url }) => [provider, url])).toEqual([
      ['Acme', 'https://a.example/eth'],
      ['Eve', 'https://e.example/'],
    ])
    expect(one.publicNodes('nowhere')).toEqual([])
  })
})

describe('search', () => {
  test('without anything it lists everything, page by page', () => {
    covers('tool-search')
    expect(valueOf(answers.search(undefined))).toMatchObject({ total: 7, next_offset: null })
    expect(valueOf(answers.search({ limit: 3, offset: 3 }))).toMatchObject({ total: 7, next_offset: 6 })
  })

  test('a result says what it is, what it costs, and what to do next', () => {
    covers('discovery-payloads', 'tool-search-execute-hint')
    const [first] = valueOf(answers.search({ query: 'documentation', chain: 'base' })).results
    expect(first).toEqual({
      service_id: 'mcpservers:docs-mcp',
      chain: 'base',
      category: 'mcpservers',
      provider: 'Acme Nodes',
      title: 'Acme Nodes',
      summary: 'Searches documentation.',
      score: expect.any(Number),
      networks: ['base', 'ethereum'],
      tags: [],
      price_hint: null,
      execute_hint: {
        operation: 'connect_mcp',
        service_id: 'mcpservers:docs-mcp',
        arguments: { chain: 'base' },
      },
    })
    const [free] = valueOf(answers.search({ query: 'free', chain: 'ethereum' })).results
    expect(free).toMatchObject({
      title: 'Acme Nodes Free (mainnet)',
      summary: 'Runs nodes in two regions.',
      price_hint: 'Free, $0',
      tags: ['Archive', 'RPC'],
      execute_hint: { operation: 'get_details' },
    })
    expect(valueOf(answers.search({ query: 'own-mcp' })).results[0]?.execute_hint?.operation).toBe(
      'get_details',
    )
  })

  test('a query filters and ranks: what has none of the words is not found', () => {
    covers('search-query-filters', 'tool-search-query')
    expect(found({ query: 'bolt' })).toEqual([
      'mcpservers:trade-mcp@ethereum',
      'mcpservers:own-mcp@ethereum',
      'apis:bolt@ethereum',
    ])
    expect(found({ query: 'nothing-like-it' })).toEqual([])
    expect(found({ query: '???' })).toEqual([])
  })

  test('rows with all words come alone; without any, those with the most of them, and it says so', () => {
    expect(found({ query: 'bolt sepolia' })).toEqual(['apis:bolt@ethereum'])
    const some = valueOf(answers.search({ query: 'bolt documentation unheard' }))
    expect(some.total).toBeGreaterThan(0)
    expect(some.note).toBe(
      'Looked for: documentation. Nothing here has "unheard". No service is all of that; these are not: "bolt".',
    )
  })

  test('a chain is found by its name, the beginning of a word and its plural by the word', () => {
    expect(found({ query: 'acme free on base' })).toEqual(['apis:acme-free@base'])
    expect(found({ query: 'docu' })).toEqual(['mcpservers:docs-mcp@ethereum'])
    expect(found({ query: 'documentations' })).toEqual(['mcpservers:docs-mcp@ethereum'])
  })

  test('chain and category narrow it', () => {
    covers('tool-search-chain', 'tool-search-category', 'sequence-discovery')
    expect(found({ chain: 'base', category: 'mcpservers' })).toEqual(['mcpservers:docs-mcp@base'])
    expect(refusalOf(answers.search({ category: 'mc' }))).toMatchObject({
      code: 'unknown_category',
      known: ['mcpservers', 'apis'],
    })
    expect(refusalOf(answers.search({ chain: 'nowhere' })).code).toBe('unknown_chain')
  })

  test('a chain and a category may be written as people write them', () => {
    const asked = found({ chain: 'base', category: 'mcpservers' })
    for (const chain of [' Base ', 'BASE', '8453', 'base mainnet'])
      for (const category of ['MCPservers', 'mcp', 'tool servers'])
        expect(found({ chain, category })).toEqual(asked)
    expect(valueOf(answers.discoverCategories({ chain: 'ETH' })).chain).toBe('ethereum')
    expect(valueOf(answers.find({ serviceId: 'apis:acme-free', chain: 'Ether' })).chain).toBe('ethereum')
    for (const chain of ['base ethereum', 'base rpc', 'etherium', 'sol', 'on'])
      expect(refusalOf(answers.search({ chain })).code).toBe('unknown_chain')
    for (const category of ['smart contract audit', 'cheap', 'free'])
      expect(refusalOf(answers.search({ category })).code).toBe('unknown_category')
  })

  test('tags must all be there, in any case', () => {
    covers('tool-search-tags')
    expect(found({ tags: ['rpc'] }).toSorted()).toEqual([
      'apis:acme-free@ethereum',
      'apis:acme-pro-mainnet@ethereum',
      'apis:acme-pro-sepolia@ethereum',
    ])
    expect(found({ tags: ['RPC', 'archive'] })).toEqual(['apis:acme-free@ethereum'])
    expect(valueOf(answers.search({ tags: ['GraphQL'] })).note).toBe(
      'No row has GraphQL in tag; there are, for instance, RPC; Archive.',
    )
  })

  test('filters: a value, one of several, a number, a range, dates, true and false', () => {
    covers('tool-search-filters')
    expect(found({ filters: { planType: 'free' } })).toHaveLength(1)
    expect(found({ filters: { planType: ['Free', 'Enterprise'] } })).toHaveLength(2)
    expect(found({ filters: { trial: true } })).toHaveLength(2)
    expect(found({ filters: { price: 5 } })).toEqual(['apis:acme-free@base'])
    expect(found({ filters: { price: { min: 1, max: 10 } } })).toEqual(['apis:acme-free@base'])
    expect(found({ filters: { price: { max: 10 }, chain: 'mainnet' } })).toHaveLength(1)
    expect(found({ filters: { updatedAt: { from: '2026-05-01', to: '2026-05-04' } } })).toEqual([
      'apis:bolt@ethereum',
    ])
    expect(found({ filters: { updatedAt: { from: '2026-05-05' } } })).toEqual([])
  })

  test('a filter that is not known or not of its kind is refused, and says what there is', () => {
    covers('search-filter-keys')
    const unknown = refusalOf(answers.search({ filters: { prise: 5 } }))
    expect(unknown.code).toBe('unknown_filter')
    expect(unknown.known[0]).toBe('price')
    expect(unknown.known).toContain('health')
    expect(unknown.message).toContain('known: price')
    expect(unknown.at).toEqual([['filters', 'prise']])
    expect(refusalOf(answers.search({ filters: { slug: 'x' } })).code).toBe('unknown_filter')
    for (const filters of [
      { price: 'x' },
      { price: {} },
      { planType: { min: 1 } },
      { updatedAt: '2026' },
      { health: 'WELL' },
    ]) {
      expect(refusalOf(answers.search({ filters })).code).toBe('invalid_arguments')
    }
  })

  test('limit and offset have bounds', () => {
    covers('search-limit-bounds', 'tool-search-limit')
    for (const limit of [0, 21, 'ten', 1.5, -1, null, '10']) {
      expect(refusalOf(answers.search({ limit })).message).toBe('limit: expected a whole number from 1 to 20')
    }
    expect(valueOf(answers.search({ limit: 20 })).results).toHaveLength(7)
  })
  test('an offset out of bounds is refused', () => {
    covers('search-offset-bounds', 'tool-search-offset')
    for (const offset of [-1, 10_001, 'two', 0.5]) {
      expect(refusalOf(answers.search({ offset })).message).toBe(
        'offset: expected a whole number from 0 to 10000',
      )
    }
    expect(valueOf(answers.search({ offset: 10_000 }))).toEqual({ results: [], total: 7, next_offset: null })
  })

  test('what clients of other gateways send besides is left alone', () => {
    const analytics = { conversation_id: 'c', interaction_id: 'i', source: 's', user_query: 'q' }
    expect(valueOf(answers.search({ query: 'bolt', analytics, more: 1 })).total).toBe(3)
    expect(valueOf(answers.discoverCategories({ chain: 'base', analytics })).chain).toBe('base')
  })
})

describe('health of linked services', () => {
  test('rides along, and can be filtered by', async () => {
    const linked = await answersAbout(someServices, {
      isAny: () => true,
      linked: (entry) => (entry === 0 ? 'node-a' : entry === 1 ? 'node-b' : null),
      decisionOf: (id) => (id === 'node-a' ? 'UP' : 'DOWN'),
    })
    const healthy = (health: unknown) =>
      valueOf(linked.search({ filters: { health } })).results.map((result) => result.health)
    expect(healthy('UP')).toEqual([{ serviceId: 'node-a', decision: 'UP' }])
    expect(healthy('DOWN')).toEqual([{ serviceId: 'node-b', decision: 'DOWN' }])
    expect(healthy(['up', 'down'])).toHaveLength(1)
    expect(healthy('LATENCY')).toEqual([])
  })
})

const chainOf = (question: object) =>
  valueOf(answers.find({ serviceId: 'apis:acme-free', ...question })).chain

describe('one service', () => {
  test('has everything the registry says of it', () => {
    covers('registry-service-id', 'registry-entry-metadata', 'registry-raw-snapshot')
    const details = valueOf(answers.find({ serviceId: 'apis:acme-free', chain: 'base' }))
    expect(details).toMatchObject({
      service_id: 'apis:acme-free',
      chain: 'base',
      other_chains: ['ethereum'],
      category: 'apis',
      slug: 'acme-free',
      snapshot: {
        slug: 'acme-free',
        chain: 'mainnet',
        price: '$5',
        planType: 'Free',
        trial: false,
        tag: ['Archive', 'RPC'],
      },
      providerMeta: { slug: 'acme', name: 'Acme Nodes', website: 'https://acme.example/' },
      links: [{ label: 'Endpoint', url: 'https://base.acme.example/', column: 'actionButtons' }],
      mcp: null,
    })
  })

  test('of an id on several chains: the one asked for, else the preferred, else the first', () => {
    covers('registry-id-on-many-chains')
    expect(chainOf({})).toBe('base')
    expect(chainOf({ preferredChain: 'ethereum' })).toBe('ethereum')
    expect(chainOf({ preferredChain: 'bitcoin' })).toBe('base')
    expect(chainOf({ chain: 'ethereum', preferredChain: 'base' })).toBe('ethereum')
  })

  test('that is not there is refused with what is', () => {
    expect(refusalOf(answers.find({ serviceId: 'apis:acme' }))).toMatchObject({
      code: 'unknown_service',
      known: expect.arrayContaining(['apis:acme-free']),
    })
    expect(refusalOf(answers.find({ serviceId: 'nothing' })).code).toBe('unknown_category')
    expect(refusalOf(answers.find({ serviceId: 'apis:bolt', chain: 'base' }))).toMatchObject({
      code: 'unknown_service',
      known: ['ethereum'],
    })
    expect(refusalOf(answers.find({ serviceId: 'apis:bolt', chain: 'mars' })).code).toBe('unknown_chain')
  })

  test('MCP servers say how they are reached; those that their user runs are not listed', () => {
    covers('operation-list-mcps')
    expect(valueOf(answers.mcpServers())).toMatchObject([
      {
        service_id: 'mcpservers:docs-mcp',
        chains: ['base', 'ethereum'],
        mcpEndpoint: 'https://docs.acme.example/mcp',
        transportType: 'http',
        authRequired: false,
        credentialKey: null,
      },
      {
        service_id: 'mcpservers:trade-mcp',
        chains: ['ethereum'],
        transportType: 'sse',
        authRequired: true,
        credentialKey: 'bolt',
      },
    ])
    expect(valueOf(answers.mcpServers('base'))).toHaveLength(1)
    expect(refusalOf(answers.mcpServers('mars')).code).toBe('unknown_chain')
    expect(valueOf(answers.find({ serviceId: 'mcpservers:own-mcp' })).mcp).toBeNull()
  })
})
