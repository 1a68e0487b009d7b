import type { ProblemLog, SnapshotFile } from '../snapshot.ts'
import { isNetworkName } from './layout.ts'
import type { CsvLine } from './read-csv.ts'
import { type CsvTable, readTable } from './read-rows.ts'

/** The listings of one category on one network, or on all networks (null). */
export interface NetworkTable {
  readonly network: string | null
  readonly table: CsvTable
}

const networkColumn = 'network'
/** What the network column holds for a row that is listed on all networks. An empty cell may be a mistake, so it is none. */
const allNetworks = '*'

/**
 * Reads the compact form of a category's listings, `listings/<category>.csv`, as if each network had a file of its own:
 * the result is the same registry, down to the columns that a row has. Lines whose network is not valid are reported.
 */
export function readCompactListings(file: SnapshotFile, log: ProblemLog): NetworkTable[] {
  const table = readTable(file, log)
  if (table === null) return []
  const place = table.columns.indexOf(networkColumn)
  if (place === -1) {
    const reason = `the header has no column ${networkColumn}`
    log.add({ file: file.path, line: 1, reason, effect: 'left_out' })
    return []
  }
  const networkOf = ({ cells }: CsvLine): string => cells[place]?.trim() ?? ''
  const lines = table.lines.filter((line) => {
    const reason = lineProblem(line, networkOf(line), table.columns.length)
    if (reason !== null) log.add({ file: file.path, line: line.line, reason, effect: 'left_out' })
    return reason === null
  })
  return [...Map.groupBy(lines, networkOf)].map(([network, ofNetwork]) => ({
    network: network === allNetworks ? null : network,
    table: narrowed({ ...table, lines: ofNetwork }),
  }))
}

function lineProblem({ cells }: CsvLine, network: string, columnCount: number): string | null {
  if (cells.length !== columnCount) return `${cells.length} cells where the header has ${columnCount}`
  if (network === allNetworks || isNetworkName(network)) return null
  return `${networkColumn}: expected the name of a network, or ${allNetworks} for all of them`
}

/** Columns that every listing has, whether or not a row of the network fills them. */
const keptColumns: ReadonlySet<string> = new Set(['slug', 'offer'])

/** Drops the network column, and those in which no line says anything: columns of other networks are not its own. */
function narrowed({ file, columns, lines }: CsvTable): CsvTable {
  const places = [...columns.entries()].flatMap(([place, column]) => {
    if (column === networkColumn) return []
    const isKept = keptColumns.has(column) || lines.some(({ cells }) => cells[place]?.trim())
    return isKept ? [place] : []
  })
  const pick = (cells: readonly string[]): string[] => places.map((place) => cells[place] ?? '')
  return {
    file,
    columns: pick(columns),
    lines: lines.map(({ line, cells }) => ({ line, cells: pick(cells) })),
  }
}
