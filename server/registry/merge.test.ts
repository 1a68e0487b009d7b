import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'

import { countExpandedRows, expandRows } from './expand.ts'
import { mergeRow } from './merge.ts'
import type { Listing, RegistrySnapshot, CellValue } from './snapshot.ts'
import { loadContents } from './test-support/small-registry.ts'
import { covers } from '../../tests/support/covers.ts'

async function rowOf(contents: Parameters<typeof loadContents>[0], serviceId: string) {
  const { index } = await loadContents(contents)
  const [entry] = index.entriesOf(serviceId)
  const row = index.rows[index.rowOfEntry[entry ?? -1] ?? -1]
  return row === undefined ? null : mergeRow(row.listing, row)
}

describe('merging a listing with its offer', () => {
  test('the offer speaks where the listing is silent; the slug is the listing`s, `offer` the offer`s', async () => {
    covers('registry-other-fields')
    const contents = {
      'offers/apis': [
        { slug: 'free', provider: 'Acme', offer: 'RPC', planType: 'Free', trial: 'TRUE', price: '$0' },
      ],
      'ethereum/apis': [
        { slug: 'acme-main', offer: '!offer:free', chain: 'mainnet', trial: 'FALSE', price: 'null' },
      ],
    }
    expect(await rowOf(contents, 'apis:acme-main')).toEqual({
      slug: 'acme-main',
      offer: 'RPC',
      chain: 'mainnet',
      trial: false,
      price: '$0',
      provider: 'Acme',
      planType: 'Free',
    })
  })

  test('an offer without a name leaves `offer` empty', async () => {
    const contents = {
      'offers/apis': [{ slug: 'free', provider: 'Acme' }],
      'ethereum/apis': [{ slug: 'x', offer: '!offer:free' }],
    }
    expect(await rowOf(contents, 'apis:x')).toMatchObject({ offer: null, provider: 'Acme' })
  })

  test('without a reference the row stands alone, even where an offer has its slug', async () => {
    const contents = {
      'offers/apis': [{ slug: 'x', provider: 'Acme' }],
      'ethereum/apis': [{ slug: 'x', offer: 'RPC' }],
    }
    expect(await rowOf(contents, 'apis:x')).toEqual({ slug: 'x', offer: 'RPC' })
  })

  test('columns are found by their header, whatever their order', async () => {
    const contents = {
      'offers/apis': [{ planType: 'Free', provider: 'Acme', slug: 'free' }],
      'ethereum/apis': [{ chain: 'mainnet', offer: '!offer:free', slug: 'x' }],
    }
    expect(await rowOf(contents, 'apis:x')).toMatchObject({
      chain: 'mainnet',
      planType: 'Free',
      provider: 'Acme',
    })
  })

  test('every cell is the listing`s unless it is null, then the offer`s', () => {
    const cells = fc.dictionary(
      fc.constantFrom('a', 'b', 'c', 'offer'),
      fc.oneof(fc.string({ minLength: 1 }), fc.boolean()),
    )
    fc.assert(
      fc.property(cells, cells, (own, offered) => {
        const listing = listingOf({ cells: own, offered })
        const merged = mergeRow(listing, { slug: 'copy', subChain: null })
        for (const column of ['a', 'b', 'c'])
          expect(merged[column]).toEqual(own[column] ?? offered[column] ?? null)
        expect(merged['offer']).toEqual(offered['offer'] ?? null)
        expect(merged['slug']).toBe('copy')
      }),
    )
  })
})

describe('rows of all networks', () => {
  test('stand on every network; of chain-aware categories once for each of its sub-chains', async () => {
    const { index, counts } = await loadContents({
      'all/sdks': [{ slug: 'kit' }],
      'all/apis': [{ slug: 'node' }],
      'all/analytics': [{ slug: 'board' }],
      'ethereum/wallets': [{ slug: 'w1', chain: 'mainnet' }, { slug: 'w2', chain: 'sepolia' }, { slug: 'w3', chain: 'mainnet' }],
      'bitcoin/wallets': [{ slug: 'w1' }],
    }) // prettier-ignore
    const placesOf = (id: string) =>
      index.entriesOf(id).map((entry) => index.snapshot.networks[index.networkOfEntry[entry] ?? 0])
    expect(placesOf('sdks:kit')).toEqual(['bitcoin', 'ethereum'])
    expect(placesOf('apis:node')).toEqual([])
    for (const id of [
      'apis:node-mainnet',
      'apis:node-sepolia',
      'analytics:board-mainnet',
      'analytics:board-sepolia',
    ]) {
      expect(placesOf(id)).toEqual(['ethereum'])
    }
    expect(counts).toMatchObject({ networks: 2, rows: 10, pairs: 6 })
  })

  test('are as many as were counted before', () => {
    const network = fc.constantFrom('a', 'b', 'c')
    const listing = fc.record({
      network: fc.option(network),
      category: fc.constantFrom('apis', 'analytics', 'sdks'),
      chain: fc.option(fc.constantFrom('mainnet', 'testnet')),
    })
    fc.assert(
      fc.property(fc.array(listing, { maxLength: 20 }), (given) => {
        const listings = given.map(({ network: where, category, chain }, place) =>
          listingOf({ cells: chain === null ? {} : { chain }, slug: `s${place}`, network: where, category }),
        )
        const snapshot = snapshotOf(listings)
        const rows = expandRows(snapshot, () => undefined)
        expect(rows.reduce((sum, { networks }) => sum + networks.length, 0)).toBe(countExpandedRows(snapshot))
      }),
    )
  })
})

interface Given {
  cells: Record<string, CellValue>
  offered?: Record<string, CellValue>
  slug?: string
  network?: string | null
  category?: string
}

const columns = ['slug', 'a', 'b', 'c', 'offer', 'chain']

function listingOf({ cells, offered, slug = 'x', network = 'a', category = 'apis' }: Given): Listing {
  const offer = offered === undefined ? null : { slug: 'o', cells: new Map(Object.entries(offered)), columns }
  return {
    slug,
    cells: new Map(Object.entries(cells)),
    columns,
    category,
    network,
    offer,
    file: 'f',
    line: 1,
  }
}

const snapshotOf = (listings: readonly Listing[]): RegistrySnapshot => ({
  version: '',
  columns: new Map(),
  categories: new Map(),
  providers: [],
  offerCount: 0,
  networks: ['a', 'b', 'c'],
  listings,
})
