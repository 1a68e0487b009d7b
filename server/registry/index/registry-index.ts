import type { RegistryRow } from '../expand.ts'
import { mergedCell, filledColumns } from '../merge.ts'
import type { Listing, RegistrySnapshot } from '../snapshot.ts'
import { createHostIndex } from './host-index.ts'
import { type FindProvider, providersByName } from './providers.ts'
import { createFacetsOf } from './facets.ts'
import { createListingWords, wordsKeyOf } from './row-words.ts'
import { type RowFacts, createRowFacts } from './row-facts.ts'
import { numberServices } from './services.ts'
import { type ValueIndex, createValueIndexBuilder } from './value-index.ts'
import { type WordIndex, createWordIndexBuilder } from './word-index.ts'

/**
 * An indexed snapshot. An entry is one row on one network and is what queries return; entries are numbered in the order
 * of their service id, then of their network.
 */
export interface RegistryIndex {
  readonly snapshot: RegistrySnapshot
  readonly rows: readonly RegistryRow[]
  /** The service id of each row. */
  readonly serviceIds: readonly string[]
  readonly categories: readonly string[]
  /** For each row, the index of its category in `categories`. */
  readonly categoryOfRow: Uint16Array
  readonly entryCount: number
  readonly rowOfEntry: Uint32Array
  /** For each entry, the index of its network in the snapshot. */
  readonly networkOfEntry: Uint16Array
  /** For each network, its entries, ascending. */
  readonly entriesOfNetwork: readonly Uint32Array[]
  /** For each row, the number of its text in `words`. */
  readonly textOfRow: Uint32Array
  /** For each row, the service whose plan it is. */
  readonly serviceOfRow: Uint32Array
  readonly serviceCount: number
  /** For each row, a bit for each of `facets`. */
  readonly facetsOfRow: Uint32Array
  readonly facts: RowFacts
  readonly words: WordIndex
  readonly values: ValueIndex
  readonly providerOf: FindProvider
  /** Returns the rows with a link to a host, ascending. */
  rowsOfHost(host: string): readonly number[]
  /** Returns the entries of a service id, in alphabetical order of their networks. */
  entriesOf(serviceId: string): readonly number[]
}

const rowsPerPause = 500

/** Builds the index. Awaits `pause` every 500 rows, so that other requests are served meanwhile. */
export async function createRegistryIndex(
  snapshot: RegistrySnapshot,
  rows: readonly RegistryRow[],
  pause: () => Promise<void>,
): Promise<RegistryIndex> {
  const providerOf = providersByName(snapshot.providers)
  const values = createValueIndexBuilder(snapshot.columns, rows.length)
  const hosts = createHostIndex()
  const serviceIds = rows.map(({ listing, slug }) => `${listing.category}:${slug}`)
  const categories = [...new Set(rows.map(({ listing }) => listing.category))].toSorted()
  const placeOf = new Map(categories.map((category, place) => [category, place]))
  const { serviceOfRow, serviceCount } = numberServices(rows, serviceIds)
  await pause()
  const texts = createTexts(snapshot, providerOf)
  const facetsOf = createFacetsOf()
  const textOfRow = new Uint32Array(rows.length)
  const facetsOfRow = new Uint32Array(rows.length)
  const categoryOfRow = new Uint16Array(rows.length)
  for (const [number, row] of rows.entries()) {
    textOfRow[number] = texts.numberOf(row.listing, serviceOfRow[number] ?? 0)
    facetsOfRow[number] = facetsOf(row)
    for (const column of filledColumns(row.listing)) {
      const value = column === 'chain' && row.subChain !== null ? null : mergedCell(row.listing, column)
      if (value === null) continue
      values.add(number, column, value)
      hosts.add(number, value)
    }
    if (row.subChain !== null) values.add(number, 'chain', row.subChain)
    categoryOfRow[number] = placeOf.get(row.listing.category) ?? 0
    if (number % rowsPerPause === rowsPerPause - 1) await pause()
  }
  await pause()
  const facts = createRowFacts(rows, facetsOfRow, snapshot.networks.length)
  await pause()
  const words = texts.build(serviceCount)
  await pause()
  const entries = orderedEntries(rows, serviceIds)
  await pause()
  const byServiceId = groupByServiceId(entries.rowOfEntry, serviceIds)
  return {
    snapshot,
    rows,
    serviceIds,
    categories,
    categoryOfRow,
    ...entries,
    entriesOfNetwork: entriesByNetwork(entries.networkOfEntry, snapshot.networks.length),
    textOfRow,
    serviceOfRow,
    serviceCount,
    facetsOfRow,
    facts,
    words,
    values: values.build(),
    providerOf,
    rowsOfHost: hosts.rowsOf,
    entriesOf: (serviceId) => byServiceId.get(serviceId) ?? [],
  }
}

/** Indexes each text once, however many rows have it. */
function createTexts({ categories }: RegistrySnapshot, providerOf: FindProvider) {
  const wordsOf = createListingWords({ categories, providerOf })
  const words = createWordIndexBuilder()
  const numbers = new Map<string, number>()
  const services: number[] = []
  let latest: Listing | null = null
  let number = 0
  return {
    numberOf(listing: Listing, service: number): number {
      if (listing === latest) return number
      latest = listing
      const key = wordsKeyOf(listing)
      const known = numbers.get(key)
      if (known !== undefined) return (number = known)
      number = numbers.size
      numbers.set(key, number)
      services.push(service)
      const { words: ofText, names } = wordsOf(listing)
      words.add(ofText, names)
      return number
    },
    build: (serviceCount: number) => words.build(Uint32Array.from(services), serviceCount),
  }
}

function orderedEntries(rows: readonly RegistryRow[], serviceIds: readonly string[]) {
  const order = rows
    .map((_, row) => row)
    .toSorted((one, other) => compare(serviceIds[one] ?? '', serviceIds[other] ?? ''))
  // Several rows may share an id, each on networks of its own, so networks are sorted within an id.
  const entries: { readonly row: number; readonly network: number }[] = []
  for (let from = 0; from < order.length;) {
    let to = from
    while (to < order.length && serviceIds[order[to] ?? 0] === serviceIds[order[from] ?? 0]) to++
    const ofId = order
      .slice(from, to)
      .flatMap((row) => (rows[row]?.networks ?? []).map((network) => ({ row, network })))
    entries.push(...ofId.toSorted((one, other) => one.network - other.network))
    from = to
  }
  return {
    entryCount: entries.length,
    rowOfEntry: Uint32Array.from(entries, ({ row }) => row),
    networkOfEntry: Uint16Array.from(entries, ({ network }) => network),
  }
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other))

function entriesByNetwork(networkOfEntry: Uint16Array, networkCount: number): Uint32Array[] {
  const lists = Array.from({ length: networkCount }, (): number[] => [])
  for (const [entry, network] of networkOfEntry.entries()) lists[network]?.push(entry)
  return lists.map((list) => Uint32Array.from(list))
}

function groupByServiceId(rowOfEntry: Uint32Array, serviceIds: readonly string[]): Map<string, number[]> {
  const groups = new Map<string, number[]>()
  for (const [entry, row] of rowOfEntry.entries()) {
    const serviceId = serviceIds[row] ?? ''
    const group = groups.get(serviceId)
    if (group) group.push(entry)
    else groups.set(serviceId, [entry])
  }
  return groups
}
