import { createHash } from 'node:crypto'

import type { Definition } from './read-tools.ts'

/** Fingerprints of a server's tools by their names. */
export type Fingerprints = ReadonlyMap<string, string>

/** What was accepted of a server's tools, and what was last seen of them. */
export interface Pins {
  readonly accepted: Fingerprints
  readonly seen: Fingerprints
}

export const fingerprintsOf = (tools: readonly Definition[]): Fingerprints =>
  new Map(tools.map((tool) => [tool.name, fingerprintOf(tool)]))

/** The first list is taken as it is; every later one is compared with what was accepted. */
export const pinned = (known: Pins | null, seen: Fingerprints): Pins => ({
  accepted: known?.accepted ?? seen,
  seen,
})

/** Tools that came, or are not what they were. */
export const changedNames = ({ accepted, seen }: Pins): string[] =>
  [...seen].filter(([name, fingerprint]) => accepted.get(name) !== fingerprint).map(([name]) => name)

export const removedNames = ({ accepted, seen }: Pins): string[] =>
  [...accepted.keys()].filter((name) => !seen.has(name))

export const isChanged = (pins: Pins | null, name: string): boolean => {
  const seen = pins?.seen.get(name)
  return seen !== undefined && pins?.accepted.get(name) !== seen
}

export const accepted = ({ seen }: Pins): Pins => ({ accepted: seen, seen })

export const isSame = (one: Fingerprints, other: Fingerprints): boolean =>
  one.size === other.size && [...one].every(([name, fingerprint]) => other.get(name) === fingerprint)

/** Of a whole list, in whatever order it came. */
export const listFingerprint = (fingerprints: Fingerprints): string =>
  createHash('sha256')
    .update(JSON.stringify([...fingerprints].toSorted(([one], [other]) => (one < other ? -1 : 1))))
    .digest('hex')

/** What a model reads of a tool, and is led by. */
const pinnedFields = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const

/** SHA-256 of a definition; the order of its keys does not matter. */
export function fingerprintOf(definition: Readonly<Record<string, unknown>>): string {
  const fields = pinnedFields.map((name) => [name, definition[name] ?? null])
  return createHash('sha256').update(JSON.stringify(fields, inKeyOrder)).digest('hex')
}

function inKeyOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
