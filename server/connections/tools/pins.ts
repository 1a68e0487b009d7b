import { createHash } from 'node:crypto'

import type { Definition } from './read-tools.ts'

/** Fingerprints of a server's tools by name. */
export type Fingerprints = ReadonlyMap<string, string>

/** The accepted fingerprints of a server's tools, and those last seen. */
export interface Pins {
  readonly accepted: Fingerprints
  readonly seen: Fingerprints
}

export const fingerprintsOf = (tools: readonly Definition[]): Fingerprints =>
  new Map(tools.map((tool) => [tool.name, fingerprintOf(tool)]))

/**
 * Compares a list with the accepted one. The first list is accepted as it is, but for tools that others have seen, too: those
 * are compared with what is accepted for everybody.
 */
export const pinned = (known: Pins | null, seen: Fingerprints, ofEverybody: Pins | null = null): Pins => ({
  accepted:
    known?.accepted ??
    new Map([...seen].map(([name, own]) => [name, ofEverybody?.accepted.get(name) ?? own])),
  seen,
})

/** Returns the tools that are new or changed. */
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

/** Returns the fingerprint of a whole list, independent of its order. */
export const listFingerprint = (fingerprints: Fingerprints): string =>
  createHash('sha256')
    .update(JSON.stringify([...fingerprints].toSorted(([one], [other]) => (one < other ? -1 : 1))))
    .digest('hex')

/** The fields of a definition that a model reads and acts on. */
const pinnedFields = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const

/** Returns the SHA-256 of a definition, independent of the order of its keys. */
export function fingerprintOf(definition: Readonly<Record<string, unknown>>): string {
  const fields = pinnedFields.map((name) => [name, definition[name] ?? null])
  return createHash('sha256').update(JSON.stringify(fields, inKeyOrder)).digest('hex')
}

function inKeyOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
