import { mergedCell, filledColumns } from '../merge.ts'
import type { RegistryRow } from '../expand.ts'
import { withoutAddresses } from '../read/markdown-links.ts'
import type { RegistryCategory, RegistryColumn, Listing, SourceRow, CellValue } from '../snapshot.ts'
import { maxWeight } from './word-index.ts'
import { wordsOf } from './words.ts'

/** Weight of a word by the column in which it occurs; other columns have `otherWeight`. */
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

/** Columns that are not searched by words: addresses, commands, and where and when a fact was read. */
const skipped: ReadonlySet<string> = new Set([
  'slug',
  'logoPath',
  'selfHostedArgs',
  'selfHostedCommand',
  'image',
  'source',
  'checkedAt',
])
const longestText = 2_000

export interface WordSources {
  readonly columns: ReadonlyMap<string, RegistryColumn>
  readonly categories: ReadonlyMap<string, RegistryCategory>
  readonly providerOf: (listing: Listing) => SourceRow | null
}

/** Returns the words of a row, each with its highest weight in any column. */
export function createRowWords({ columns, categories, providerOf }: WordSources) {
  function addValue(words: Map<string, number>, column: string, value: CellValue): void {
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
    for (const column of filledColumns(listing)) {
      const value = skipped.has(column) ? null : mergedCell(listing, column)
      if (value !== null && !(column === 'chain' && subChain !== null)) addValue(words, column, value)
    }
    if (subChain !== null) counted(words, subChain, weights.get('chain') ?? otherWeight)
    const about = providerOf(listing)?.cells.get('description')
    if (typeof about === 'string') counted(words, about, providerTextWeight)
    return words
  }
}

/** Returns the searchable text of a value: a text, or the texts of a list. */
function textOf(value: CellValue): string {
  if (typeof value === 'string') return value.startsWith('https://') ? '' : value
  if (!Array.isArray(value)) return ''
  return value.filter((item) => typeof item === 'string').join(' ')
}

/** Adds the words of a text; a word that is there already keeps the higher weight. */
function counted(words: Map<string, number>, text: string, weight: number): void {
  for (const word of wordsOf(text.slice(0, longestText))) {
    if (weight > (words.get(word) ?? 0)) words.set(word, Math.min(weight, maxWeight))
  }
}
