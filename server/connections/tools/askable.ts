import { fieldsOf, isFields } from '../../../shared/fields.ts'
import { remembered } from '../../platform/remembered.ts'
import type { PoolKey } from '../pool/pool.ts'

/**
 * What callers can be asked, as far as honest tool servers list other tools for it, and the least that declares it. It is in
 * order, and bounded.
 */
const parts: readonly (readonly [
  part: string,
  isDeclared: (declared: Declared) => boolean,
  capability: keyof Declared,
  mode?: string,
])[] = [
  // Without a mode, forms are meant.
  [
    'form',
    ({ elicitation }) => elicitation !== undefined && ('form' in elicitation || !('url' in elicitation)),
    'elicitation',
    'form',
  ],
  ['url', ({ elicitation }) => elicitation !== undefined && 'url' in elicitation, 'elicitation', 'url'],
  ['roots', ({ roots }) => roots !== undefined, 'roots'],
  ['sampling', ({ sampling }) => sampling !== undefined, 'sampling'],
  ['sampling_tools', ({ sampling }) => sampling !== undefined && 'tools' in sampling, 'sampling', 'tools'],
]

type Declared = Readonly<Partial<Record<'elicitation' | 'roots' | 'sampling', object>>>

/** Nothing: what the owner in the console and most programs declare. */
const nothing = ''

const partsOf = (declared: Declared): string =>
  parts
    .filter(([, isDeclared]) => isDeclared(declared))
    .map(([part]) => part)
    .join('+')

const partsIn = remembered((json: string): string => partsOf(JSON.parse(json)))

/** Returns what a caller can be asked as a short text without colons, the same for all who are listed the same tools. */
export const askableOf = ({ askable }: Pick<PoolKey, 'askable'>): string =>
  askable === undefined ? nothing : partsIn(askable)

/** What tool servers before protocol 2026-07-28 ask in the middle of a call. */
const askableCapabilities = ['elicitation', 'sampling', 'roots'] as const

/** Returns what of a client's capabilities lets it be asked. */
export function askableIn(capabilities: unknown): Declared {
  const all = fieldsOf(capabilities)
  return Object.fromEntries(
    askableCapabilities.flatMap((name) => (isFields(all[name]) ? [[name, all[name]]] : [])),
  )
}

/** Returns what a client with these capabilities can be asked, as `askableOf` does. */
export const askableBy = (capabilities: unknown): string => partsOf(askableIn(capabilities))

/** Returns a pool key of those who can be asked this, as `askableOf` returns it: however they declare it, they share one. */
export function keyAskable<Key extends PoolKey>(key: Key, askable: string): Key {
  if (askable === nothing) return key
  const named = new Set(askable.split('+'))
  const declared: Record<string, Record<string, object>> = {}
  for (const [part, , capability, mode] of parts) {
    if (!named.has(part)) continue
    declared[capability] = { ...declared[capability], ...(mode !== undefined && { [mode]: {} }) }
  }
  return { ...key, askable: JSON.stringify(declared) }
}
