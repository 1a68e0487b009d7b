import { createHash } from 'node:crypto'

/** What a model reads of a tool, and is led by. */
const pinnedFields = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const

/** SHA-256 of a definition; the order of its keys does not matter. */
export function fingerprintOf(definition: Readonly<Record<string, unknown>>): string {
  const pinned = pinnedFields.map((name) => [name, definition[name] ?? null])
  return createHash('sha256').update(JSON.stringify(pinned, inKeyOrder)).digest('hex')
}

function inKeyOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
