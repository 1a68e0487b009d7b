import { permissionLabels, permissions } from '../../shared/api-keys.ts'
import type { ApiKeyView, Permission } from '../../shared/api-keys.ts'
import type { Sort } from '../ui/sort-rows.ts'

/** Which keys a link can ask for, besides their three states. */
export const stateChoices = ['enabled', 'disabled', 'expired', 'expiring', 'unused'] as const
export type StateChoice = (typeof stateChoices)[number]

/** What is shown of the list. It stands in the address of the page: `?search=ci&state=enabled&sort=-lastUsed`. */
export interface KeyListView {
  readonly search: string
  readonly state: StateChoice | null
  readonly permission: Permission | null
  readonly sort: Sort | null
  /** From 1. */
  readonly page: number
}

export const wholeList: KeyListView = { search: '', state: null, permission: null, sort: null, page: 1 }

/** A key that ends within this time is one to look after. */
export const expiringMs = 14 * 86_400_000

/** The value of one query parameter as the router gives it. */
type QueryValue = string | null | undefined | readonly (string | null)[]

/** Reads the address; what it does not know counts as absent. */
export function viewFromQuery(query: Readonly<Record<string, QueryValue>>): KeyListView {
  const text = (name: string): string => {
    const value = query[name]
    return typeof value === 'string' ? value : ''
  }
  const page = Number(text('page'))
  return {
    search: text('search'),
    state: stateChoices.find((choice) => choice === text('state')) ?? null,
    permission: permissions.find((permission) => permission === text('permission')) ?? null,
    sort: sortFromText(text('sort')),
    page: Number.isInteger(page) && page > 0 ? page : 1,
  }
}

/** The reverse of `viewFromQuery`. A whole key that was pasted into the search stays out of the address. */
export function queryOfView({ search, state, permission, sort, page }: KeyListView): Record<string, string> {
  return {
    ...(search.trim() !== '' && !holdsKeyValue(search) && { search: search.trim() }),
    ...(state !== null && { state }),
    ...(permission !== null && { permission }),
    ...(sort !== null && { sort: `${sort.direction === 'descending' ? '-' : ''}${sort.key}` }),
    ...(page > 1 && { page: String(page) }),
  }
}

function sortFromText(text: string): Sort | null {
  if (text === '') return null
  return text.startsWith('-')
    ? { key: text.slice(1), direction: 'descending' }
    : { key: text, direction: 'ascending' }
}

export const isFiltered = ({ search, state, permission }: KeyListView): boolean =>
  search.trim() !== '' || state !== null || permission !== null

/** The keys that the filter lets through, in their own order. `now` in epoch ms. */
export function filterKeys(
  keys: readonly ApiKeyView[],
  { search, state, permission }: KeyListView,
  now: number,
): readonly ApiKeyView[] {
  const isFound = searchOf(search)
  return keys.filter(
    (key) =>
      (state === null || isOfChoice(key, state, now)) &&
      (permission === null || key.permissions.includes(permission)) &&
      isFound(key),
  )
}

function isOfChoice(key: ApiKeyView, choice: StateChoice, now: number): boolean {
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

export const isExpiring = ({ state, expiresAt }: ApiKeyView, now: number): boolean =>
  state !== 'expired' && expiresAt !== null && expiresAt - now <= expiringMs

function searchOf(search: string): (key: ApiKeyView) => boolean {
  const text = search.trim()
  if (holdsKeyValue(text)) return ({ hint }) => hint === hintOf(text)
  const words = text.toLowerCase().split(/\s+/)
  return (key) => {
    const searched = searchedText(key)
    return words.every((word) => searched.includes(word))
  }
}

const searchedText = ({ name, hint, permissions: granted, allowedIps, allowedDomains }: ApiKeyView): string =>
  [name, hint, ...granted.map((permission) => permissionLabels[permission]), ...allowedIps, ...allowedDomains]
    .join(' ')
    .toLowerCase()

/** Whoever finds a key somewhere pastes it to learn which one it is. */
const holdsKeyValue = (text: string): boolean => /gak_[0-9A-Za-z]{16}/.test(text)

/** As the server shows a key: its prefix and its last four characters. */
const hintOf = (value: string): string => `gak_…${value.slice(-4)}`
