import type { RegistryRow } from '../expand.ts'
import { mcpCategory, mcpFactsOf } from '../mcp-facts.ts'
import { filledColumns, mergedCell } from '../merge.ts'
import { facetNamed } from './facets.ts'
import { numberIn } from './numbers.ts'

/** What decides between rows that fit a question equally well. */
export interface RowFacts {
  /** For each row, what it costs, as far as that is one number; NaN where it is not said. */
  readonly price: Float32Array
  /** For each row, how much it says for itself, whatever is asked: about 0 to 2. */
  readonly merit: Float32Array
  /** For each row, 1 for a tool server that does nothing but search documentation. */
  readonly isDocumentation: Uint8Array
}

/** How far documentation stands below tools, unless it is asked for. */
export const belowTools = 4

const priceColumns = ['accessPrice', 'price', 'pricing', 'queryPrice'] as const
const manyColumns = 20

export function createRowFacts(
  rows: readonly RegistryRow[],
  facetsOfRow: Uint32Array,
  networks: number,
): RowFacts {
  const isFacet = (label: string): ((row: number) => number) => {
    const bit = 1 << facetNamed(label)
    return (row) => Number(((facetsOfRow[row] ?? 0) & bit) !== 0)
  }
  const isFree = isFacet('free')
  const isForEnterprises = isFacet('for enterprises')
  const isTest = isFacet('on a test network')
  const sizeOf = networkSizes(rows, networks)
  return {
    isDocumentation: Uint8Array.from(rows, (row) => Number(isDocumentation(row))),
    price: Float32Array.from(rows, (row, number) => (isFree(number) === 1 ? 0 : priceOf(row))),
    merit: Float32Array.from(
      rows,
      (row, number) =>
        1 +
        0.5 * isFree(number) -
        0.4 * isForEnterprises(number) -
        0.5 * isTest(number) +
        completenessOf(row) +
        0.8 * sizeOf(row) +
        0.1 * Math.log1p((row.networks.length / networks) * 10) +
        meritOfKind(row) +
        spread(number),
    ),
  }
}

/** Returns how much there is on the largest network of a row, up to 1: that is the network that people mean. */
function networkSizes(rows: readonly RegistryRow[], networks: number): (row: RegistryRow) => number {
  const sizes = new Float64Array(networks)
  for (const row of rows) for (const network of row.networks) sizes[network] = (sizes[network] ?? 0) + 1
  const largest = Math.max(1, ...sizes)
  return (row) => Math.max(0, ...row.networks.map((network) => (sizes[network] ?? 0) / largest))
}

function priceOf({ listing }: RegistryRow): number {
  for (const column of priceColumns) {
    const value = mergedCell(listing, column)
    const price = typeof value === 'string' ? numberIn(value) : null
    if (price !== null) return price
  }
  return Number.NaN
}

function completenessOf({ listing }: RegistryRow): number {
  let filled = 0
  for (const column of filledColumns(listing)) if (mergedCell(listing, column) !== 'TBD') filled++
  const isStarred = mergedCell(listing, 'starred') === true
  return 0.4 * Math.min(1, filled / manyColumns) + (isStarred ? 0.4 : 0)
}

/** Whether a row is a tool server that does nothing but search documentation. */
const isDocumentation = ({ listing }: RegistryRow): boolean =>
  listing.category === mcpCategory &&
  (mergedCell(listing, 'serverType') === 'docs' || /-docs?-/.test(listing.slug))

/** A tool server that an agent cannot connect to stands below those that it can. */
const meritOfKind = (row: RegistryRow): number =>
  (isDocumentation(row) ? -belowTools : 0) +
  (row.listing.category === mcpCategory && mcpFactsOf(row.listing) === null ? -0.5 : 0)

/** A number below 0.01 that differs from row to row, so that equals do not stand in the order of the alphabet. */
const spread = (row: number): number => ((Math.imul(row + 1, 2_654_435_761) >>> 0) / 2 ** 32) * 0.01
