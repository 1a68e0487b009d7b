import { mergedCell, saidColumns } from '../merge.ts'
import type { RegistryRow } from '../expand.ts'
import { withoutAddresses } from '../read/markdown-links.ts'
import type { Category, Column, Listing, Row, Value } from '../snapshot.ts'
import { maxWeight } from './word-index.ts'
import { wordsOf } from './words.ts'

/** What a word in a column says about a row; in every other column 2. */
const weights: ReadonlyMap<string, number> = new Map([
  ['provider', 12],
  ['offer', 10],
  ['name', 10],
  ['planName', 6],
  ['planType', 6],
  ['toolType', 8],
  ['apiType', 8],
  ['serverType', 8],
  ['technology', 8],
  ['tag', 8],
  ['agentSkills', 8],
  ['programmingLanguage', 6],
  ['chain', 6],
  ['description', 4],
])
const otherWeight = 2
const slugWeight = 8
const categoryWeight = 10
const trueWeight = 5
const providerTextWeight = 2

/** Addresses and commands are not what people look for by words. */
const skipped: ReadonlySet<string> = new Set([
  'slug',
  'logoPath',
  'selfHostedArgs',
  'selfHostedCommand',
  'image',
])
const longestText = 2_000

export interface WordSources {
  readonly columns: ReadonlyMap<string, Column>
  readonly categories: ReadonlyMap<string, Category>
  readonly providerOf: (listing: Listing) => Row | null
}

/** The words by which rows are found, each with the most that it says about the row. */
export function createRowWords({ columns, categories, providerOf }: WordSources) {
  function addValue(words: Map<string, number>, column: string, value: Value): void {
    if (value === true) {
      counted(words, `${column} ${columns.get(column)?.label ?? ''}`, trueWeight)
      return
    }
    const text = textOf(value)
    if (text !== '') counted(words, withoutAddresses(text), weights.get(column) ?? otherWeight)
  }

  return ({ listing, slug, subChain }: RegistryRow): ReadonlyMap<string, number> => {
    const words = new Map<string, number>()
    counted(words, `${listing.category} ${categories.get(listing.category)?.label ?? ''}`, categoryWeight)
    counted(words, slug, slugWeight)
    for (const column of saidColumns(listing)) {
      const value = skipped.has(column) ? null : mergedCell(listing, column)
      if (value !== null && !(column === 'chain' && subChain !== null)) addValue(words, column, value)
    }
    if (subChain !== null) counted(words, subChain, weights.get('chain') ?? otherWeight)
    const about = providerOf(listing)?.cells.get('description')
    if (typeof about === 'string') counted(words, about, providerTextWeight)
    return words
  }
}

/** A text, or a list of them; anything else is not looked for by words. */
function textOf(value: Value): string {
  if (typeof value === 'string') return value.startsWith('https://') ? '' : value
  if (!Array.isArray(value)) return ''
  return value.filter((item) => typeof item === 'string').join(' ')
}

/** Keeps the most that a word says. */
function counted(words: Map<string, number>, text: string, weight: number): void {
  for (const word of wordsOf(text.slice(0, longestText))) {
    if (weight > (words.get(word) ?? 0)) words.set(word, Math.min(weight, maxWeight))
  }
}
