import { queryPage, querySort, queryText, sortText, withoutBlanks } from '../address-query.ts'
import type { AddressQuery } from '../address-query.ts'
import type { Sort } from '../ui/sort-rows.ts'
import type { KeyView } from './key-view.ts'

/** Which keys a link can ask for, besides their three states. */
export const stateChoices = ['enabled', 'disabled', 'expired', 'expiring', 'unused'] as const
export type StateChoice = (typeof stateChoices)[number]

/** What is shown of a list of keys. It stands in the address of the page: `?search=ci&state=enabled&sort=-lastUsed`. */
export interface KeyListView {
  readonly search: string
  readonly state: StateChoice | null
  readonly sort: Sort | null
  /** From 1. */
  readonly page: number
}

export const wholeKeyList: KeyListView = { search: '', state: null, sort: null, page: 1 }

/** A key that ends within this time is one to look after. */
export const expiringMs = 14 * 86_400_000

/** Reads the address; what it does not know counts as absent. */
export const keyListFromQuery = (query: AddressQuery): KeyListView => ({
  search: queryText(query, 'search'),
  state: stateChoices.find((choice) => choice === query['state']) ?? null,
  sort: querySort(query),
  page: queryPage(query),
})

/** The reverse of `keyListFromQuery`. A whole key that was pasted into the search stays out of the address. */
export const queryOfKeyList = ({ search, state, sort, page }: KeyListView): Record<string, string> =>
  withoutBlanks({
    search: holdsKeyValue(search) ? '' : search.trim(),
    state: state ?? '',
    sort: sortText(sort),
    page: page > 1 ? String(page) : '',
  })

export const isKeyListFiltered = ({ search, state }: KeyListView): boolean =>
  search.trim() !== '' || state !== null

/**
 * The keys that search and state let through, in their own order. `searchedText` is what the search looks at besides
 * what every key has; `now` in epoch ms.
 */
export function filterKeyList<Key extends KeyView>(
  keys: readonly Key[],
  { search, state }: Pick<KeyListView, 'search' | 'state'>,
  now: number,
  searchedText: (key: Key) => string,
): readonly Key[] {
  const isFound = searchOf(search, searchedText)
  return keys.filter((key) => (state === null || isOfChoice(key, state, now)) && isFound(key))
}

function isOfChoice(key: KeyView, choice: StateChoice, now: number): boolean {
  switch (choice) {
    case 'expiring':
      return key.state === 'enabled' && isExpiring(key, now)
    case 'unused':
      return key.state !== 'expired' && key.lastUsedAt === null
    case 'enabled':
    case 'disabled':
    case 'expired':
      return key.state === choice
  }
}

export const isExpiring = ({ state, expiresAt }: KeyView, now: number): boolean =>
  state !== 'expired' && expiresAt !== null && expiresAt - now <= expiringMs

function searchOf<Key extends KeyView>(search: string, searchedText: (key: Key) => string) {
  const text = search.trim()
  if (holdsKeyValue(text)) return ({ hint }: Key): boolean => hint === hintOf(text)
  const words = text.toLowerCase().split(/\s+/)
  return (key: Key): boolean => {
    const { name, hint, allowedIps, allowedDomains } = key
    const searched = [name, hint, searchedText(key), ...allowedIps, ...allowedDomains].join(' ').toLowerCase()
    return words.every((word) => searched.includes(word))
  }
}

/** Whoever finds a key somewhere pastes it to learn which one it is. */
const holdsKeyValue = (text: string): boolean => /g[aq]k_[0-9A-Za-z]{16}/.test(text)

/** As the server shows a key: its prefix and its last four characters. */
const hintOf = (value: string): string => `${/g[aq]k_/.exec(value)?.[0] ?? ''}…${value.slice(-4)}`
