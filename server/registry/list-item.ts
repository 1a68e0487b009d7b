import { mergedCell, mergedText } from './merge.ts'
import type { RegistryRow } from './expand.ts'
import type { FindProvider } from './index/providers.ts'
import type { Listing } from './snapshot.ts'
import { withoutAddresses } from './read/markdown-links.ts'

/** The fields of a row that lists and search results show. */
export interface RegistryListItem {
  readonly provider: string | null
  readonly title: string
  readonly summary: string | null
  readonly tags: string[]
  readonly price_hint: string | null
}

const summaryChars = 240
const nameChars = 120

/** Returns what a row is called; the rest of its item takes longer to make. */
export function toListName({
  listing,
  slug,
  subChain,
}: RegistryRow): Pick<RegistryListItem, 'provider' | 'title'> {
  const provider = mergedText(listing, 'provider')
  return {
    provider: provider === null ? null : cut(provider, nameChars),
    title: titleOf(listing, slug, subChain ?? mergedText(listing, 'chain')),
  }
}

export function toListItem(row: RegistryRow, providerOf: FindProvider): RegistryListItem {
  const { listing } = row
  const about = mergedText(listing, 'description') ?? providerText(listing, providerOf) ?? factsOf(listing)
  return {
    ...toListName(row),
    summary: about === null ? null : cut(withoutAddresses(about), summaryChars),
    tags: listOf(listing, 'tag').slice(0, 12),
    price_hint: priceOf(listing),
  }
}

/** Returns a title such as `Alchemy Growth (sepolia)`. */
function titleOf(listing: Listing, slug: string, subChain: string | null): string {
  const provider = mergedText(listing, 'provider')
  const parts = [
    provider,
    mergedText(listing, 'offer'),
    mergedText(listing, 'planName') ?? mergedText(listing, 'planType'),
  ]
  const said = [...new Set(parts.filter((part) => part !== null && part !== 'TBD'))].map((part) =>
    cut(part ?? '', 80),
  )
  const name = provider === null && said.length === 0 ? slug : said.join(' ')
  return subChain === null ? name : `${name} (${subChain})`
}

const priceColumns = ['price', 'accessPrice', 'pricing'] as const

function priceOf(listing: Listing): string | null {
  const price =
    priceColumns.map((column) => mergedText(listing, column)).find((text) => text !== null) ?? null
  const perCall = mergedText(listing, 'queryPrice')
  const parts = [mergedText(listing, 'planType'), price, perCall === null ? null : `${perCall} per call`]
  const said = parts.filter((part) => part !== null && part !== 'TBD')
  return said.length === 0 ? null : cut(said.join(', '), nameChars)
}

function providerText(listing: Listing, providerOf: FindProvider): string | null {
  const about = providerOf(listing)?.cells.get('description')
  return typeof about === 'string' ? about : null
}

const factColumns = [
  'apiType',
  'technology',
  'historicalData',
  'toolType',
  'dataTypes',
  'additionalFeatures',
] as const

/** Returns a summary made of descriptive columns, for rows without a text of their own. */
function factsOf(listing: Listing): string | null {
  const facts = factColumns.flatMap(
    (column) => mergedText(listing, column) ?? listOf(listing, column).join(', '),
  )
  const said = facts.filter((fact) => fact !== '' && fact !== 'TBD')
  return said.length === 0 ? null : said.join('; ')
}

function listOf(listing: Listing, column: string): string[] {
  const value = mergedCell(listing, column)
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/** Returns the text, cut at the end of a word to at most `chars` characters, with an ellipsis. */
function cut(text: string, chars: number): string {
  if (text.length <= chars) return text
  const end = text.lastIndexOf(' ', chars - 1)
  return `${text.slice(0, end > chars / 2 ? end : chars - 1)}…`
}
