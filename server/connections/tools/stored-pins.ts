import { createHash } from 'node:crypto'

import * as z from 'zod/mini'

import type { Fingerprints, Pins, ToolLists } from './pins.ts'

/**
 * Lists as they are stored: one record of fingerprints. Tools of callers who cannot be asked stand under their names, as
 * programs before this one write and read all of them; those of others have a prefix that says of whom.
 */
const Stored = z.nullable(z.record(z.string(), z.string()))

const prefix = 'askable:'
const prefixed = /^askable:([^:]*):(.*)$/su

export const storedLists = (lists: ToolLists): Record<string, string> =>
  Object.fromEntries([...lists].flatMap(([askable, tools]) => storedList(askable, tools)))

function storedList(askable: string, tools: Fingerprints): [string, string][] {
  // No tool has an empty name: such an entry says that there is a list, and nothing on it.
  if (tools.size === 0) return [[`${prefix}${askable}:`, '']]
  return [...tools].map(([name, fingerprint]) =>
    askable === '' && !name.startsWith(prefix)
      ? [name, fingerprint]
      : [`${prefix}${askable}:${name}`, fingerprint],
  )
}

function listsIn(stored: Readonly<Record<string, string>>): ToolLists {
  const lists = new Map<string, Map<string, string>>()
  for (const [key, fingerprint] of Object.entries(stored)) {
    const [, askable = '', name = key] = prefixed.exec(key) ?? []
    const tools = lists.get(askable) ?? new Map<string, string>()
    if (name !== '') tools.set(name, fingerprint)
    lists.set(askable, tools)
  }
  return lists.size === 0 ? new Map([['', new Map()]]) : lists
}

/** Null: the tools were never listed. */
export function pinsIn(row: { tools_accepted: unknown; tools_seen: unknown }): Pins | null {
  const accepted = Stored.parse(row.tools_accepted)
  const seen = Stored.parse(row.tools_seen)
  return accepted === null || seen === null ? null : { accepted: listsIn(accepted), seen: listsIn(seen) }
}

/** Returns the fingerprint of all lists as they were last seen, independent of their order. */
export const seenFingerprint = ({ seen }: Pins): string =>
  createHash('sha256')
    .update(
      JSON.stringify(Object.entries(storedLists(seen)).toSorted(([one], [other]) => (one < other ? -1 : 1))),
    )
    .digest('hex')
