import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'

import type { SearchOutput } from '../../../shared/registry.ts'
import { createRegistryQueries } from '../queries/queries.ts'
import { mergeRow } from '../merge.ts'
import { loadContents } from '../test-support/small-registry.ts'
import { covers } from '../../../tests/support/covers.ts'

/** Registries of any content, asked anything: a plain reading of all rows has to agree with the index. */

// None of these has a meaning of its own, as `rpc` has.
const word = fc.constantFrom('alpha', 'beta', 'gamma', 'alphabet', 'omega')
const row = fc.record(
  {
    provider: word,
    planType: fc.constantFrom('Free', 'Tiered'),
    price: fc.constantFrom('$0', '$5', '$49/mo', 'Custom'),
    tag: fc.constantFrom('["one"]', '["one","two"]'),
    description: fc.array(word, { maxLength: 3 }).map((words) => words.join(' ')),
    chain: fc.constantFrom('mainnet', 'sepolia'),
  },
  { requiredKeys: [] },
)
const rows = fc
  .array(row, { maxLength: 8 })
  .map((list) => list.map((cells, place) => ({ slug: `s${place}`, ...cells })))
const registry = fc.record({
  'all/apis': rows.map((list) => list.map((cells) => ({ ...cells, slug: `all-${cells.slug}` }))),
  'all/sdks': rows.map((list) => list.map((cells) => ({ ...cells, slug: `all-${cells.slug}` }))),
  'one/apis': rows,
  'two/apis': rows,
  'two/sdks': rows,
})
const question = fc.record(
  {
    query: fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
    chain: fc.constantFrom('one', 'two'),
    tags: fc.subarray(['one', 'two']),
    filters: fc.record(
      { planType: fc.constantFrom('Free', 'Tiered'), price: fc.record({ min: fc.constantFrom(0, 5, 10) }) },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
)

async function open(contents: Parameters<typeof loadContents>[0]) {
  const { index } = await loadContents(contents)
  const answers = createRegistryQueries(index, (name) => name, {
    isAny: () => false,
    linked: () => null,
    decisionOf: () => 'UNKNOWN',
  })
  const search = (asked: object): SearchOutput => {
    const answer = answers.search(asked)
    if (!answer.ok) throw new Error(answer.refusal.message)
    return answer.value
  }
  const everything = [...index.rowOfEntry].map((number, entry) => {
    const found = index.rows[number]
    if (found === undefined) throw new TypeError('no row')
    const chain = index.snapshot.networks[index.networkOfEntry[entry] ?? 0] ?? ''
    return { key: `${index.serviceIds[number]}@${chain}`, chain, cells: mergeRow(found.listing, found) }
  })
  return { search, everything }
}

const keysOf = ({ results }: SearchOutput): string[] =>
  results.map((result) => `${result.service_id}@${result.chain}`)

const idOf = (key: string): string => key.slice(0, key.indexOf('@'))

describe('search', () => {
  test('pages of any size add up to the whole, with nothing twice', async () => {
    covers('search-query-filters')
    await fc.assert(
      fc.asyncProperty(
        registry,
        question,
        fc.integer({ min: 1, max: 20 }),
        async (contents, asked, limit) => {
          const { search } = await open(contents)
          const all: string[] = []
          let offset: number | null = 0
          let total = 0
          while (offset !== null) {
            const page: SearchOutput = search({ ...asked, limit, offset })
            expect(page.next_offset === null || page.results.length === limit).toBe(true)
            all.push(...keysOf(page))
            total = page.total
            offset = page.next_offset
          }
          expect(all).toHaveLength(total)
          expect(new Set(all).size).toBe(total)
        },
      ),
      { numRuns: 60 },
    )
  })

  test('filters, tags and chain find exactly the services that meet them, each on a chain where it does', async () => {
    await fc.assert(
      fc.asyncProperty(registry, question, async (contents, { query, ...asked }) => {
        expect(query === undefined || query !== '').toBe(true) // only the rest is asked here
        const { search, everything } = await open(contents)
        const { chain, tags = [], filters = {} } = asked
        const expected = everything.filter(({ chain: own, cells }) => {
          const has: unknown = cells['tag']
          const price = /\d+/.exec(String(cells['price']))
          return (
            (chain === undefined || own === chain) &&
            tags.every((tag) => Array.isArray(has) && has.includes(tag)) &&
            (filters.planType === undefined || cells['planType'] === filters.planType) &&
            (filters.price?.min === undefined
              ? true
              : price !== null && Number(price[0]) >= filters.price.min) &&
            (filters.price === undefined || filters.price.min !== undefined)
          )
        })
        const found: string[] = []
        for (let offset = 0; offset < 200; offset += 20)
          found.push(...keysOf(search({ ...asked, limit: 20, offset })))
        expect(found.map(idOf).toSorted()).toEqual(
          [...new Set(expected.map(({ key }) => idOf(key)))].toSorted(),
        )
        const met = new Set(expected.map(({ key }) => key))
        expect(found.filter((key) => !met.has(key))).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  test('a query finds only rows that have one of its words, the best first', async () => {
    await fc.assert(
      fc.asyncProperty(registry, word, async (contents, query) => {
        const { search, everything } = await open(contents)
        const cellsOf = new Map(everything.map(({ key, cells }) => [key, cells]))
        const page = search({ query, limit: 20 })
        for (const key of keysOf(page)) {
          expect(`${key} ${JSON.stringify(cellsOf.get(key))}`.toLowerCase()).toContain(query)
        }
        const scores = page.results.map(({ score }) => score)
        expect(scores).toEqual(scores.toSorted((one, other) => other - one))
      }),
      { numRuns: 60 },
    )
  })
})
