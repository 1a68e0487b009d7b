import * as z from 'zod/mini'

import type { Decision } from './health.ts'
import { text } from './text.ts'

export const GlobalSearchInput = z.strictObject({ text: text({ max: 200 }) })

/** In the order in which equally good finds are listed. */
export const foundKinds = [
  'service',
  'endpoint',
  'queryKey',
  'apiKey',
  'account',
  'connection',
  'virtualServer',
  'auditSubject',
  'registryEntry',
] as const
export type FoundKind = (typeof foundKinds)[number]

/** Something that has a name, and that a page of the console shows. */
export interface FoundThing {
  readonly kind: FoundKind
  /** Of the kind; of an audit subject `kind:id`. */
  readonly id: string
  readonly title: string
  /** What tells it apart from others of the same name; empty where nothing does. */
  readonly detail: string
  /** The account of a key that is not one's own. */
  readonly owner?: string
  /** Of services. */
  readonly decision?: Decision
  /** The chain on which a registry entry was found, for the same id may stand on several. */
  readonly chain?: string
}

export interface GlobalSearchAnswer {
  /** The best first. */
  readonly found: readonly FoundThing[]
  /** Kinds that could not be searched, for instance while the database is away. */
  readonly unsearched: readonly FoundKind[]
}
