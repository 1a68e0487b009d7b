import { type LoadedRegistry, loadRegistry } from '../load.ts'
import type { SnapshotFile } from '../snapshot.ts'

/** Columns of the registries that tests make up. */
const columns = {
  slug: { label: 'Slug', filter: null },
  provider: { label: 'Provider', filter: 'searchableMultiSelect' },
  offer: { label: 'Offer', filter: null },
  actionButtons: { label: 'Links', filter: null },
  chain: { label: 'Sub-chain', filter: 'searchableMultiSelect' },
  planType: { label: 'Plan', filter: 'select' },
  tag: { label: 'Tags', filter: 'multiSelect' },
  price: { label: 'Price', filter: 'range' },
  trial: { label: 'Trial', filter: 'select' },
  updatedAt: { label: 'Updated', filter: 'dateRange' },
  description: { label: 'Description', filter: null },
  mcpEndpoint: { label: 'MCP endpoint', filter: 'searchableMultiSelect' },
  transportType: { label: 'Transport', filter: 'multiSelect' },
  authType: { label: 'Authentication', filter: 'multiSelect' },
  credentialKey: { label: 'Credential key', filter: null },
}

export const metaFiles: readonly SnapshotFile[] = [
  { path: 'meta/columns.json', text: JSON.stringify(columns) },
  { path: 'meta/categories.json', text: JSON.stringify({ apis: { label: 'APIs' } }) },
]

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** A CSV file of rows; a column that a row does not have stays empty in it. */
export function csvOf(rows: readonly Readonly<Record<string, string>>[]): string {
  const names = [...new Set(['slug', ...rows.flatMap((row) => Object.keys(row))])]
  const lines = [names, ...rows.map((row) => names.map((name) => row[name] ?? ''))]
  return lines.map((cells) => `${cells.map(quoted).join(',')}\n`).join('')
}

type Rows = readonly Readonly<Record<string, string>>[]

/** Files by what stands in them: `providers`, `offers/apis`, `all/apis`, `ethereum/apis`. */
export function filesOf(contents: Readonly<Record<string, Rows>>): SnapshotFile[] {
  const files = Object.entries(contents).map(([name, rows]) => ({ path: pathOf(name), text: csvOf(rows) }))
  return [...metaFiles, ...files]
}

function pathOf(name: string): string {
  if (name === 'providers') return 'references/providers/providers.csv'
  if (name.startsWith('offers/')) return `references/${name}.csv`
  if (name.startsWith('all/')) return `listings/all-networks/${name.slice(4)}.csv`
  return `listings/specific-networks/${name}.csv`
}

export const loadFiles = (files: readonly SnapshotFile[]): Promise<LoadedRegistry> =>
  loadRegistry(files, { pause: async () => undefined })

export const loadContents = (contents: Readonly<Record<string, Rows>>): Promise<LoadedRegistry> =>
  loadFiles(filesOf(contents))
