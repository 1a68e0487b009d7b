import { filledColumns, mergedCell } from '../merge.ts'
import { withoutAddresses } from '../read/markdown-links.ts'
import type { CellValue, Listing, RegistryCategory } from '../snapshot.ts'
import type { FindProvider } from './providers.ts'
import { wordsOf } from './words.ts'

/** How much a word counts where it stands: in names, in tags, or in text. */
export const fieldWeights = { name: 5, tag: 2, text: 0.7 } as const
type Field = keyof typeof fieldWeights

/** Columns that are not text. Their names are never words of a row: a column says nothing about one row. */
const fieldOf: ReadonlyMap<string, Field> = new Map([
  ['provider', 'name'],
  ['offer', 'name'],
  ['name', 'name'],
  ['tag', 'tag'],
  ['agentSkills', 'tag'],
  ['toolType', 'tag'],
  ['apiType', 'tag'],
  ['serverType', 'tag'],
  ['technology', 'tag'],
  ['planName', 'tag'],
  ['planType', 'tag'],
  ['dataTypes', 'tag'],
  ['programmingLanguage', 'tag'],
  ['historicalData', 'tag'],
])

/** Columns that are not searched by words: addresses, commands, and where a fact comes from. */
const skipped: ReadonlySet<string> = new Set([
  'slug',
  'chain',
  'actionButtons',
  'source',
  'checkedAt',
  'logoPath',
  'selfHostedArgs',
  'selfHostedCommand',
  'image',
  'languages',
  'bannedCountries',
])
const longestText = 2_000
/** From here on, a text says less about its subject the longer it is. */
const usualWords = { name: 4, tag: 14, text: 60 } as const

/** Words and their weight, from 0 to 1, in one text: that of all listings that say the same. */
export type TextWords = ReadonlyMap<string, number>

export interface WordSources {
  readonly categories: ReadonlyMap<string, RegistryCategory>
  readonly providerOf: FindProvider
}

/** Returns the words of a listing: BM25 over its fields, where a word in a name counts more than one in a text. */
export function createListingWords({ categories, providerOf }: WordSources) {
  return (listing: Listing): { words: TextWords; names: ReadonlySet<string> } => {
    const texts: Record<Field, string[]> = { name: [], tag: [], text: [] }
    texts.name.push(...wordsOf(listing.offer?.slug ?? listing.slug))
    texts.tag.push(...wordsOf(`${listing.category} ${categories.get(listing.category)?.label ?? ''}`))
    for (const column of filledColumns(listing)) {
      const value = skipped.has(column) ? null : mergedCell(listing, column)
      if (value === null) continue
      const field = fieldOf.get(column) ?? 'text'
      const said = wordsOf(withoutAddresses(textOf(value)).slice(0, longestText))
      texts[field].push(...said)
      if (field === 'name' && said.length > 1) texts.name.push(said.join(''))
    }
    const about = providerOf(listing)?.cells.get('description')
    if (typeof about === 'string') texts.text.push(...wordsOf(about.slice(0, longestText)))
    return { words: weighed(texts), names: new Set(texts.name) }
  }
}

/** Returns a key that listings with the same words share: most listings add nothing to the text of their offer. */
export function wordsKeyOf(listing: Listing): string {
  let key = `${listing.category} ${listing.offer?.slug ?? `- ${listing.slug}`} ${listing.offer === null ? '' : 'offer'}`
  for (const [column, value] of listing.cells) {
    if (skipped.has(column) || (column === 'offer' && listing.offer !== null)) continue
    key += `\n${column} ${textOf(value)}`
  }
  return key
}

const saturation = 1.2

function weighed(texts: Readonly<Record<Field, readonly string[]>>): Map<string, number> {
  const frequencies = new Map<string, number>()
  for (const field of ['name', 'tag', 'text'] as const) {
    const words = texts[field]
    const share = fieldWeights[field] / (0.5 + 0.5 * Math.max(1, words.length / usualWords[field]))
    for (const word of words) frequencies.set(word, (frequencies.get(word) ?? 0) + share)
  }
  for (const [word, frequency] of frequencies) frequencies.set(word, frequency / (saturation + frequency))
  return frequencies
}

/** Returns the searchable text of a value: a text, or the texts of a list. */
function textOf(value: CellValue): string {
  if (typeof value === 'string') return value.startsWith('https://') || value === 'TBD' ? '' : value
  if (!Array.isArray(value)) return ''
  return value.filter((item) => typeof item === 'string' && !item.startsWith('[')).join(' ')
}
