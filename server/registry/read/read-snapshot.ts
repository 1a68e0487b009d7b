import { createHash } from 'node:crypto'

import { offerNamed } from '../merge.ts'
import type {
  RegistryCategory,
  RegistryColumn,
  Listing,
  Offer,
  ProblemLog,
  SourceRow,
  RegistrySnapshot,
  SnapshotFile,
} from '../snapshot.ts'
import { type FileRole, looksMisplaced, roleOf } from './layout.ts'
import { snapshotLimits, UnusableSnapshot } from './limits.ts'
import { ownCategories, ownColumns, readCategories, readColumns } from './read-meta.ts'
import { readCompactListings } from './compact-listings.ts'
import { type CsvTable, readRows, readTable, rowsOfTable } from './read-rows.ts'

export interface ReadingOptions {
  /** Awaited after each file, so that other requests are served meanwhile. */
  readonly pause: () => Promise<void>
  readonly onProgress?: (done: number, of: number) => void
}

interface Parts {
  columns: Map<string, RegistryColumn> | null
  categories: Map<string, RegistryCategory> | null
  providers: SourceRow[]
  readonly offers: Map<string, Map<string, Offer>>
  readonly networks: Set<string>
  readonly listings: Listing[]
}

/**
 * Parses all files of a registry. Rows that are not valid are left out and reported. A registry that does not say what its
 * columns and categories are called gets the names and filters of ours. Throws `UnusableSnapshot`.
 */
export async function readSnapshot(
  files: readonly SnapshotFile[],
  log: ProblemLog,
  { pause, onProgress }: ReadingOptions,
): Promise<RegistrySnapshot> {
  const parts: Parts = {
    columns: null,
    categories: null,
    providers: [],
    offers: new Map(),
    networks: new Set(),
    listings: [],
  }
  const known = files.flatMap((file) => {
    const role = roleOf(file.path)
    if (role === null && looksMisplaced(file.path)) {
      log.add({
        file: file.path,
        line: null,
        reason: 'not in a place of the layout for listings or offers',
        effect: 'left_out',
      })
    }
    return role === null ? [] : [{ file, role }]
  })
  // Listings come last because they refer to offers. The order is alphabetical so that reports do not depend on the disk.
  known.sort((one, other) => order(one.role) - order(other.role) || compare(one.file.path, other.file.path))
  for (const [done, { file, role }] of known.entries()) {
    readFile(file, role, parts, log)
    onProgress?.(done + 1, known.length)
    await pause()
  }
  if (parts.networks.size === 0) {
    const missing =
      parts.columns === null ? 'meta/columns.json: this is no registry' : 'network under listings'
    throw new UnusableSnapshot(`there is no ${missing}`)
  }
  return {
    version: versionOf(known.map(({ file }) => file)),
    columns: parts.columns ?? ownColumns(),
    categories: parts.categories ?? ownCategories(),
    providers: parts.providers,
    offerCount: [...parts.offers.values()].reduce((sum, offers) => sum + offers.size, 0),
    networks: [...parts.networks].toSorted(),
    listings: parts.listings.toSorted((one, other) => compare(folderPathOf(one), folderPathOf(other))),
  }
}

const order = ({ kind }: FileRole): number => Number(kind === 'listings' || kind === 'compact-listings')

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other))

function readFile(file: SnapshotFile, role: FileRole, parts: Parts, log: ProblemLog): void {
  switch (role.kind) {
    case 'columns':
      parts.columns = readColumns(file.text)
      return
    case 'categories':
      parts.categories = readCategories(file.text)
      return
    case 'providers':
      parts.providers = readRows(file, log)
      return
    case 'offers':
      parts.offers.set(role.category, new Map(readRows(file, log).map((row) => [row.slug, row])))
      return
    case 'listings': {
      if (role.network !== null) parts.networks.add(role.network)
      const table = readTable(file, log)
      if (table !== null) addListings(table, role, parts, log)
      return
    }
    case 'compact-listings':
      for (const { network, table } of readCompactListings(file, log)) {
        if (network !== null) parts.networks.add(network)
        addListings(table, { category: role.category, network }, parts, log)
      }
  }
}

function addListings(
  table: CsvTable,
  { category, network }: Pick<Listing, 'category' | 'network'>,
  { offers, listings }: Parts,
  log: ProblemLog,
): void {
  const { file } = table
  for (const row of rowsOfTable(table, log)) {
    const named = offerNamed(row.cells.get('offer'))
    const offer = named === null ? null : offers.get(category)?.get(named)
    if (offer === undefined) {
      const reason = `there is no offer ${named} in references/offers/${category}.csv`
      log.add({ file, line: row.line, reason, effect: 'left_out' })
      continue
    }
    const { slug, cells, columns, line } = row
    listings.push({ slug, cells, columns, category, network, offer, file, line })
  }
  if (listings.length > snapshotLimits.listings) {
    throw new UnusableSnapshot(`there are more than ${snapshotLimits.listings} listings`)
  }
}

/** The path of a listing's file in the folder form. Both forms are put in its order, so that they make one registry. */
const folderPathOf = ({ category, network }: Listing): string =>
  network === null ? `all-networks/${category}.csv` : `specific-networks/${network}/${category}.csv`

function versionOf(files: readonly SnapshotFile[]): string {
  const hash = createHash('sha256')
  for (const { path, text } of files) hash.update(`${path}\0${text.length}\0${text}`)
  return hash.digest('hex')
}
