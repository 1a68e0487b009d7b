import type { RegistryCounts } from '../../shared/registry.ts'
import { listingsWithOwnKeys } from './credential-keys.ts'
import { countExpandedRows, expandRows } from './expand.ts'
import { type RegistryIndex, createRegistryIndex } from './index/registry-index.ts'
import { mcpFactsOf } from './mcp-facts.ts'
import { snapshotLimits, UnusableSnapshot } from './read/limits.ts'
import { createProblemLog } from './read/problem-log.ts'
import { type ReadingOptions, readSnapshot } from './read/read-snapshot.ts'
import type { ProblemLog, SnapshotFile } from './snapshot.ts'

/** A registry that can be queried, and the problems that its files had. */
export interface LoadedRegistry {
  readonly index: RegistryIndex
  readonly counts: RegistryCounts
  readonly problems: ProblemLog['problems']
}

/** Parses, checks and indexes the files of a registry. Throws `UnusableSnapshot`. */
export async function loadRegistry(
  files: readonly SnapshotFile[],
  options: ReadingOptions,
): Promise<LoadedRegistry> {
  const log = createProblemLog()
  const read = await readSnapshot(files, log, options)
  const snapshot = { ...read, listings: listingsWithOwnKeys(read.listings, log) }
  const rowCount = countExpandedRows(snapshot)
  if (rowCount > snapshotLimits.rows) {
    throw new UnusableSnapshot(`there would be ${rowCount} rows, of which ${snapshotLimits.rows} are allowed`)
  }
  const reported = new Set<object>()
  const rows = expandRows(snapshot, (listing, network) => {
    if (reported.has(listing)) return
    reported.add(listing)
    const { file, line, slug } = listing
    log.add({ file, line, reason: `${slug} is listed on ${network} already`, effect: 'left_out' })
  })
  const index = await createRegistryIndex(snapshot, rows, options.pause)
  return { index, counts: countsOf(index, log), problems: log.problems }
}

function countsOf(index: RegistryIndex, { leftOut, changed }: ProblemLog): RegistryCounts {
  const { snapshot, rows, rowOfEntry, networkOfEntry, categoryOfRow } = index
  const pairs = new Set<number>()
  for (const [entry, row] of rowOfEntry.entries()) {
    pairs.add((networkOfEntry[entry] ?? 0) * index.categories.length + (categoryOfRow[row] ?? 0))
  }
  return {
    networks: snapshot.networks.length,
    rows: index.entryCount,
    pairs: pairs.size,
    providers: snapshot.providers.length,
    offers: snapshot.offerCount,
    listings: snapshot.listings.length,
    mcpServers: new Set(
      rows.flatMap(({ listing }, row) => (mcpFactsOf(listing) === null ? [] : [index.serviceIds[row]])),
    ).size,
    leftOut,
    changed,
  }
}
