import type { RegistryLink } from '../../shared/registry.ts'
import { openableUrl } from '../../shared/openable-url.ts'
import { linksIn } from './read/markdown-links.ts'
import type { CellValue } from './snapshot.ts'

/** Columns whose whole cell is an address, with the label that its link has. */
const addressColumns: ReadonlyMap<string, string> = new Map([
  ['mcpEndpoint', 'MCP endpoint'],
  ['website', 'Website'],
  ['docs', 'Docs'],
])

/**
 * Returns the links of a row that may be opened: Markdown links of any column, those of `actionButtons` first, and
 * columns that are addresses. Each address occurs once.
 */
export function linksOf(cells: Readonly<Record<string, CellValue | null>>): RegistryLink[] {
  const columns = Object.keys(cells).toSorted(
    (one, other) => Number(other === 'actionButtons') - Number(one === 'actionButtons'),
  )
  const byUrl = new Map<string, RegistryLink>()
  for (const column of columns) {
    for (const { label, url } of linksOfCell(column, cells[column] ?? null)) {
      if (!byUrl.has(url)) byUrl.set(url, { label, url, column })
    }
  }
  return [...byUrl.values()]
}

function linksOfCell(column: string, value: CellValue | null): { label: string; url: string }[] {
  const whole = addressColumns.get(column)
  return textsIn(value).flatMap((text) => {
    const url = whole === undefined ? null : openableUrl(text)
    return url === null || whole === undefined ? linksIn(text) : [{ label: whole, url }]
  })
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
