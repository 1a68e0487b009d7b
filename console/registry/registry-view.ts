import { isFields } from '../../shared/fields.ts'
import { decisions } from '../../shared/health.ts'
import type { Decision } from '../../shared/health.ts'
import type { FilterValue, SearchInput } from '../../shared/registry.ts'
import { queryText } from '../address-query.ts'
import type { AddressQuery } from '../address-query.ts'

/** What is shown of the registry. It stands in the address of the page; an empty text narrows nothing. */
export interface RegistryView {
  readonly text: string
  readonly chain: string
  readonly category: string
  readonly health: Decision | ''
  /** A service has to have all of them. */
  readonly tags: readonly string[]
  /** By column. */
  readonly filters: ColumnFilters
  /** From 1. */
  readonly page: number
  /** The service whose details are open. */
  readonly service: ServicePlace | null
}

export type ColumnFilters = Readonly<Record<string, FilterValue>>

export interface ServicePlace {
  readonly id: string
  readonly chain: string
}

export const wholeRegistry: RegistryView = {
  text: '',
  chain: '',
  category: '',
  health: '',
  tags: [],
  filters: {},
  page: 1,
  service: null,
}

export const pageSize = 20
const maxPage = 500

const most = { tags: 20, tagChars: 200, values: 50, valueChars: 500 } as const

/** JSON of a form that `isOne` knows; null for any other, as when somebody has changed the address by hand. */
function readJson<Value>(isOne: (value: unknown) => value is Value, text: string): Value | null {
  if (text === '') return null
  try {
    const value: unknown = JSON.parse(text)
    return isOne(value) ? value : null
  } catch {
    return null
  }
}

const areTags = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length <= most.tags &&
  value.every((tag) => typeof tag === 'string' && tag.length <= most.tagChars)

const areFilters = (value: unknown): value is Record<string, FilterValue> =>
  isFields(value) && Object.values(value).every(isFilter)

/** As the schema of the server has it, which is asked with what is read here. */
function isFilter(value: unknown): value is FilterValue {
  if (Array.isArray(value)) return value.length > 0 && value.length <= most.values && value.every(isPlain)
  if (!isFields(value)) return isPlain(value)
  const ends = Object.entries(value)
  const isRange = (keys: readonly string[], type: string): boolean =>
    ends.every(([key, end]) => keys.includes(key) && typeof end === type)
  return isRange(['min', 'max'], 'number') || isRange(['from', 'to'], 'string')
}

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' ? value.length <= most.valueChars : ['number', 'boolean'].includes(typeof value)

/** Reads the page's address; what makes no sense in it narrows nothing. */
export function registryViewFromQuery(query: AddressQuery): RegistryView {
  const read = (name: string): string => queryText(query, name)
  const page = Math.trunc(Number(read('page')))
  const id = read('service')
  return {
    text: read('q'),
    chain: read('chain'),
    category: read('category'),
    health: decisions.find((decision) => decision === read('health').toUpperCase()) ?? '',
    tags: readJson(areTags, read('tags')) ?? [],
    filters: readJson(areFilters, read('filters')) ?? {},
    page: page >= 1 && page <= maxPage ? page : 1,
    service: id === '' ? null : { id, chain: read('on') },
  }
}

/** The part of the address that `registryViewFromQuery` reads. */
export function registryQueryOf(view: RegistryView): Record<string, string> {
  const { text, chain, category, health, tags, filters, page, service } = view
  return {
    ...(text.trim() !== '' && { q: text.trim() }),
    ...(chain !== '' && { chain }),
    ...(category !== '' && { category }),
    ...(health !== '' && { health }),
    ...(tags.length > 0 && { tags: JSON.stringify(tags) }),
    ...(Object.keys(filters).length > 0 && { filters: JSON.stringify(filters) }),
    ...(page > 1 && { page: String(page) }),
    ...(service !== null && { service: service.id, ...(service.chain !== '' && { on: service.chain }) }),
  }
}

/** Whether anything narrows the registry down: else one sees its networks. */
export const isRegistryNarrowed = ({ text, chain, category, health, tags, filters }: RegistryView): boolean =>
  text.trim() !== '' ||
  chain !== '' ||
  category !== '' ||
  health !== '' ||
  tags.length > 0 ||
  Object.keys(filters).length > 0

/** The question that finds what the view shows. */
export function searchOf(view: RegistryView): SearchInput {
  const { text, chain, category, health, tags, filters, page } = view
  return {
    ...(text.trim() !== '' && { query: text.trim() }),
    ...(chain !== '' && { chain }),
    ...(category !== '' && { category }),
    ...(tags.length > 0 && { tags: [...tags] }),
    filters: { ...filters, ...(health !== '' && { health }) },
    limit: pageSize,
    offset: (page - 1) * pageSize,
  }
}
