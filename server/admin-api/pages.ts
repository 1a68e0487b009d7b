import type { AdminListQuery } from '../../shared/admin-resources.ts'
import { fault } from '../platform/fault.ts'

/** A page of a list. `nextCursor` is null on the last one. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly nextCursor: string | null
}

/**
 * A page of what is in memory, in the order of its ids: what is added or removed meanwhile makes nothing else appear twice or
 * not at all. Fault: `invalid_request` for a cursor that is none.
 */
export function sortedPage<Item>(
  all: readonly Item[],
  idOf: (item: Item) => string,
  { limit, cursor }: AdminListQuery,
): Page<Item> {
  const after = cursor === undefined ? null : idOfCursor(cursor)
  const rest = all
    .filter((item) => after === null || idOf(item) > after)
    .toSorted((one, other) => (idOf(one) < idOf(other) ? -1 : 1))
  const items = rest.slice(0, limit)
  const last = rest.length > limit ? items.at(-1) : undefined
  return { items, nextCursor: last === undefined ? null : cursorOfId(idOf(last)) }
}

/** The cursor behind the thing of an id. */
export const cursorOfId = (id: string): string => Buffer.from(id).toString('base64url')

/** The id of the last thing before a cursor. Fault: `invalid_request` for a cursor that is none. */
export function idOfCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString()
  if (cursorOfId(id) === cursor) return id
  throw badCursor()
}

export const badCursor = () =>
  fault('invalid_request', 'query parameter cursor: expected nextCursor of an answer to the same question')
