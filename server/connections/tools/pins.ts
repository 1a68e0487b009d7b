import { createHash } from 'node:crypto'

import type { PoolKey } from '../pool/pool.ts'
import { askableOf } from './askable.ts'
import type { Definition } from './read-tools.ts'

/** Fingerprints of a server's tools by name. */
export type Fingerprints = ReadonlyMap<string, string>

/**
 * Fingerprints by what callers can be asked: honest servers list the tools that ask, or describe them so, to those callers
 * alone. A tool that is missing from one of the lists is therefore not gone as long as it is in another one.
 */
export type ToolLists = ReadonlyMap<string, Fingerprints>

/** The accepted fingerprints of a server's tools, and those last seen. */
export interface Pins {
  readonly accepted: ToolLists
  readonly seen: ToolLists
}

/** A list as it was read for callers who can be asked this. */
export interface SeenList {
  readonly askable: string
  readonly tools: Fingerprints
}

/** A tool that is not as it was accepted. */
export interface PinnedChange {
  readonly name: string
  /** The accepted fingerprint; undefined for a new tool. */
  readonly before: string | undefined
  readonly after: string
}

export const seenList = (key: Pick<PoolKey, 'askable'>, tools: readonly Definition[]): SeenList => ({
  askable: askableOf(key),
  tools: new Map(tools.map((tool) => [tool.name, fingerprintOf(tool)])),
})

/**
 * Compares a list with the accepted one. The first list for callers of a kind is accepted as it is, but for tools that were
 * seen otherwise: by callers of another kind, or by others at all (`ofEverybody`). Those are compared with what is accepted
 * there, so that no server can hide a change from one kind of callers by showing it to another one first.
 */
export function pinned(known: Pins | null, list: SeenList, ofEverybody: Pins | null = null): Pins {
  const { askable, tools } = list
  const seen = new Map(known?.seen).set(askable, tools)
  if (known?.accepted.has(askable) === true) return { accepted: known.accepted, seen }
  const first = [...tools].flatMap(([name, own]): [string, string][] => {
    const ofOthers = acceptedAs(known, name)
    if (ofOthers.length === 0 && isSeen(known, name)) return [] // new for others, and not accepted yet
    const before = ofOthers.length > 0 ? ofOthers : acceptedAs(ofEverybody, name)
    return [[name, before.includes(own) ? own : (before[0] ?? own)]]
  })
  return { accepted: new Map(known?.accepted).set(askable, new Map(first)), seen }
}

/** Returns the accepted fingerprints of a tool. */
export const acceptedAs = (pins: Pins | null, name: string): string[] =>
  [...(pins?.accepted.values() ?? [])].flatMap((tools) => tools.get(name) ?? [])

const isSeen = (pins: Pins | null, name: string): boolean =>
  [...(pins?.seen.values() ?? [])].some((tools) => tools.has(name))

/**
 * Returns true for a definition that was accepted, for these callers or others, of a tool that these callers had. One that
 * was only ever listed to others is new to them: anybody can be the first of a kind, and is asked by nobody.
 */
const isAsAccepted = (pins: Pins, askable: string, name: string, fingerprint: string): boolean =>
  pins.accepted.get(askable)?.has(name) === true && acceptedAs(pins, name).includes(fingerprint)

/** Returns the tools that are new or changed, each definition once. */
export function changesIn(pins: Pins): PinnedChange[] {
  const changes = new Map<string, PinnedChange>()
  for (const [askable, tools] of pins.seen) {
    for (const [name, after] of tools) {
      if (isAsAccepted(pins, askable, name, after)) continue
      const before = pins.accepted.get(askable)?.get(name)
      changes.set(JSON.stringify([name, after]), { name, before, after })
    }
  }
  return [...changes.values()]
}

export const changedNames = (pins: Pins): string[] => [...new Set(changesIn(pins).map(({ name }) => name))]

/** Returns the accepted tools that nobody is listed any more. */
export const removedNames = (pins: Pins): string[] =>
  toolNamesIn(pins.accepted).filter((name) => !isSeen(pins, name))

/** Returns the names in all lists, each once. */
export const toolNamesIn = (lists: ToolLists): string[] => [
  ...new Set([...lists.values()].flatMap((tools) => [...tools.keys()])),
]

/** A tool that these callers were not listed is changed where others were listed a change. */
export function isChanged(pins: Pins | null, key: Pick<PoolKey, 'askable'>, name: string): boolean {
  if (pins === null) return false
  const askable = askableOf(key)
  const seen = pins.seen.get(askable)?.get(name)
  if (seen === undefined) return changesIn(pins).some((change) => change.name === name)
  return !isAsAccepted(pins, askable, name, seen)
}

/** Returns true for a tool that these callers were listed as it was accepted. */
export const isAcceptedTool = (pins: Pins, key: Pick<PoolKey, 'askable'>, name: string): boolean =>
  pins.seen.get(askableOf(key))?.has(name) === true && !isChanged(pins, key, name)

/** Accepts what was seen: for all callers, so that none of it is a change when others are listed it later. */
export function accepted(pins: Pins): Pins {
  const changes = new Map(changesIn(pins).map(({ name, after }) => [name, after]))
  const gone = new Set(removedNames(pins))
  const lists = [...pins.seen].map(([askable, seen]): [string, Fingerprints] => {
    const before = [...(pins.accepted.get(askable) ?? [])].filter(([name]) => !gone.has(name))
    return [askable, new Map([...changes, ...before, ...seen])]
  })
  return { accepted: new Map(lists), seen: pins.seen }
}

/** Returns true when callers of this kind were listed exactly this before. */
export function isKnownList({ accepted: known, seen }: Pins, { askable, tools }: SeenList): boolean {
  const last = seen.get(askable)
  if (last === undefined || !known.has(askable) || last.size !== tools.size) return false
  return [...tools].every(([name, fingerprint]) => last.get(name) === fingerprint)
}

export const fingerprintsIn = ({ accepted: known, seen }: Pins): string[] =>
  [...known.values(), ...seen.values()].flatMap((tools) => [...tools.values()])

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
