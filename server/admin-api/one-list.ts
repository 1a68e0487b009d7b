import { AdminListQuery } from '../../shared/admin-resources.ts'
import { fault } from '../platform/fault.ts'
import type { Operator } from './operator.ts'
import { type Page, sortedPage } from './pages.ts'
import type { Found } from './resource.ts'

interface Listing<Item> {
  all(operator: Operator): readonly Item[] | Promise<readonly Item[]>
  idOf(item: Item): string
  /** What of it can be changed, secrets included. */
  versionOf(item: Item, operator: Operator): unknown
  /** As answered; the item itself unless this is given. */
  shown?(item: Item): object
  /** The sentence for an id that is none. */
  readonly missing: string
}

/** What reads a resource whose things are all in one list of the console. */
export function oneList<Item extends object>({ all, idOf, versionOf, missing, ...rest }: Listing<Item>) {
  const { shown = (item: Item): object => item } = rest

  /** Fault: `not_found`. */
  async function get(operator: Operator, id: string): Promise<Item> {
    const found = (await all(operator)).find((item) => idOf(item) === id)
    if (found === undefined) throw fault('not_found', missing)
    return found
  }

  return {
    get,
    reading: {
      query: AdminListQuery,
      async list(operator: Operator, query: AdminListQuery): Promise<Page<object>> {
        const { items, nextCursor } = sortedPage(await all(operator), idOf, query)
        return { items: items.map(shown), nextCursor }
      },
      async find(operator: Operator, id: string): Promise<Found> {
        const item = await get(operator, id)
        return { item: shown(item), version: versionOf(item, operator) }
      },
    },
  }
}
