import { operationNames, toolNames } from '../../../shared/gateway.ts'
import type { ToolFinding } from '../call-results.ts'
import { walkTexts } from './walk-texts.ts'
import { comparableText, lookingLatin } from './comparable-text.ts'

/** The tools of another server that the same caller has. */
export interface OtherServer {
  readonly name: string
  readonly toolNames: readonly string[]
}

/** Returns a name as it looks: without case, punctuation, hidden characters and letters of other scripts. */
const lookOf = (name: string): string => lookingLatin(comparableText(name)).replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Words that any tool server may use: nobody takes `search` for ours, because tools are called by their connection. */
const ordinary: ReadonlySet<string> = new Set(['search', 'execute'])

const ours: ReadonlySet<string> = new Set([...toolNames, ...operationNames].map(lookOf))

/** Returns true for a name that is, or looks like, one of the gateway's own tools and operations. */
export const isNameOfOurs = (name: string): boolean => ours.has(lookOf(name)) && !ordinary.has(name)

const maxOtherNames = 2_000
/** A name that no text has by chance. */
const isDistinctive = (name: string): boolean => name.length >= 7 && /[a-z][_-][a-z]|[a-z][A-Z]/.test(name)

/**
 * Finds what has to do with tools of other servers: texts that name one (a tool can tell a model how to use another
 * server's tool), and equal names, of which the owner alone is told.
 */
export function createOtherToolsScan(
  servers: readonly OtherServer[],
  own: readonly { readonly name: string }[],
) {
  const ownNames = new Set(own.map(({ name }) => name.toLowerCase()))
  const byLook = new Map<string, string>()
  const distinctive = new Map<string, string>()
  for (const { name: server, toolNames: names } of servers) {
    for (const name of names) {
      if (byLook.size >= maxOtherNames) break
      byLook.set(lookOf(name), server)
      if (isDistinctive(name)) distinctive.set(name.toLowerCase(), server)
    }
  }

  return (definition: Readonly<Record<string, unknown>> & { readonly name: string }): ToolFinding[] => {
    const found: ToolFinding[] = []
    const same = byLook.get(lookOf(definition.name))
    if (same !== undefined) found.push({ kind: 'same_name', where: 'name', excerpt: same })
    if (distinctive.size === 0) return found
    const named = new Map<string, string>()
    let scanned = 0
    walkTexts(definition, [], (text, path) => {
      scanned += text.length
      // A word alone is a value of this tool's own; a sentence speaks of something.
      if (scanned > maxScannedChars || !text.includes(' ')) return
      for (const [word] of text.matchAll(/[A-Za-z0-9_-]{7,100}/g)) {
        const lower = word.toLowerCase()
        if (distinctive.has(lower) && !ownNames.has(lower)) named.set(lower, path.join('.'))
      }
    })
    for (const [word, where] of [...named].slice(0, maxNamed))
      found.push({ kind: 'names_other_tool', where, excerpt: `${word} (${distinctive.get(word)})` })
    return found
  }
}

const maxScannedChars = 65_536
const maxNamed = 5
