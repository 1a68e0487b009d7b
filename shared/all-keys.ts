import * as z from 'zod/mini'

import { idText, text } from './text.ts'

/** A page of the keys of every account, or of one by its id, for operators; the newest first. */
export const AllKeysQuery = z.strictObject({
  account: z.optional(idText(200)),
  /** A part of the name, an id, or a hint. */
  search: z._default(text({ min: 0, max: 200 }), ''),
  cursor: z.optional(idText(200)),
  limit: z._default(z.int().check(z.minimum(1), z.maximum(200)), 50),
})
export type AllKeysQuery = z.output<typeof AllKeysQuery>

/** Whose a key is. */
export interface KeyOwner {
  readonly id: string
  readonly name: string
}

export interface AllKeysPage<Key> {
  readonly keys: readonly (Key & { readonly owner: KeyOwner })[]
  /** Null: there are no more. */
  readonly nextCursor: string | null
}
