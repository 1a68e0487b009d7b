import type { RegistryRow } from '../expand.ts'
import { mergedCell, saidColumns } from '../merge.ts'
import type { Snapshot } from '../snapshot.ts'
import { createHostIndex } from './host-index.ts'
import { providersByName } from './providers.ts'
import type { FindProvider } from './providers.ts'
import { createRowWords } from './row-words.ts'
import { createValueIndexBuilder } from './value-index.ts'
import type { ValueIndex } from './value-index.ts'
import { createWordIndexBuilder } from './word-index.ts'
import type { WordIndex } from './word-index.ts'

/**
 * A snapshot made ready for questions. An entry is one row on one network, which is what a question finds; entries are
 * numbered in the order of their service id, and within it of their network.
 */
export interface RowIndex {
  readonly snapshot: Snapshot
  readonly rows: readonly RegistryRow[]
  /** Of the rows. */
  readonly serviceIds: readonly string[]
  readonly starred: Uint8Array
  readonly categories: readonly string[]
  /** Places in `categories`, of the rows. */
  readonly categoryOfRow: Uint16Array
  readonly entryCount: number
  readonly rowOfEntry: Uint32Array
  /** Places in the snapshot's networks. */
  readonly networkOfEntry: Uint16Array
  /** Entries of each network, ascending. */
  readonly entriesOfNetwork: readonly Uint32Array[]
  readonly words: WordIndex
  readonly values: ValueIndex
  readonly providerOf: FindProvider
  /** Rows of which a link leads to that host, ascending. */
  rowsOfHost(host: string): readonly number[]
  /** Entries with that service id, on networks in alphabetical order. */
  entriesOf(serviceId: string): readonly number[]
}

const rowsPerPause = 500

/** Builds it, pausing now and then so that a server goes on serving. */
export async function createRowIndex(
  snapshot: Snapshot,
  rows: readonly RegistryRow[],
  pause: () => Promise<void>,
): Promise<RowIndex> {
  const providerOf = providersByName(snapshot.providers)
  const wordsOf = createRowWords({ ...snapshot, providerOf })
  const words = createWordIndexBuilder()
  const values = createValueIndexBuilder(snapshot.columns, rows.length)
  const hosts = createHostIndex()
  const serviceIds = rows.map(({ listing, slug }) => `${listing.category}:${slug}`)
  const categories = [...new Set(rows.map(({ listing }) => listing.category))].toSorted()
  const placeOf = new Map(categories.map((category, place) => [category, place]))
  const starred = new Uint8Array(rows.length)
  const categoryOfRow = new Uint16Array(rows.length)
  for (const [number, row] of rows.entries()) {
    words.add(number, wordsOf(row))
    for (const column of saidColumns(row.listing)) {
      const value = column === 'chain' && row.subChain !== null ? null : mergedCell(row.listing, column)
      if (value === null) continue
      values.add(number, column, value)
      hosts.add(number, value)
    }
    if (row.subChain !== null) values.add(number, 'chain', row.subChain)
    starred[number] = Number(mergedCell(row.listing, 'starred') === true)
    categoryOfRow[number] = placeOf.get(row.listing.category) ?? 0
    if (number % rowsPerPause === rowsPerPause - 1) await pause()
  }
  const entries = orderedEntries(rows, serviceIds)
  await pause()
  const byServiceId = groupByServiceId(entries.rowOfEntry, serviceIds)
  return {
    snapshot,
    rows,
    serviceIds,
    starred,
    categories,
    categoryOfRow,
    ...entries,
    entriesOfNetwork: entriesByNetwork(entries.networkOfEntry, snapshot.networks.length),
    words: words.build(),
    values: values.build(),
    providerOf,
    rowsOfHost: hosts.rowsOf,
    entriesOf: (serviceId) => byServiceId.get(serviceId) ?? [],
  }
}

function orderedEntries(rows: readonly RegistryRow[], serviceIds: readonly string[]) {
  const order = rows
    .map((_, row) => row)
    .toSorted((one, other) => compare(serviceIds[one] ?? '', serviceIds[other] ?? ''))
  // Several rows may have one id, each on networks of its own: only within an id do networks need sorting.
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
