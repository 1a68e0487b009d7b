import type { Sort } from './ui/sort-rows.ts'

/** Query parameters as the router gives them. */
export type AddressQuery = Readonly<Record<string, string | null | undefined | readonly (string | null)[]>>

/** One parameter of the address; empty when it is absent, or there more than once. */
export function queryText(query: AddressQuery, name: string): string {
  const value = query[name]
  return typeof value === 'string' ? value : ''
}

/** The page of a list, from 1; what is no such number counts as the first. */
export function queryPage(query: AddressQuery): number {
  const page = Number(queryText(query, 'page'))
  return Number.isInteger(page) && page > 0 ? page : 1
}

/** By which column a table is sorted: `lastUsed`, or `-lastUsed` for the greatest first. */
export function querySort(query: AddressQuery): Sort | null {
  const text = queryText(query, 'sort')
  if (text === '') return null
  return text.startsWith('-')
    ? { key: text.slice(1), direction: 'descending' }
    : { key: text, direction: 'ascending' }
}

/** The reverse of `querySort`. */
export const sortText = (sort: Sort | null): string =>
  sort === null ? '' : `${sort.direction === 'descending' ? '-' : ''}${sort.key}`

/** An address says only what is not as usual: empty parts are left out. */
export const withoutBlanks = (parts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== ''))
