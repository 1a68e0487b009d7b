import { facets } from '../index/facets.ts'
import { wordsOf } from '../index/words.ts'
import { categoryAliases } from './category-aliases.ts'
import { chainAliases, isForeignAlias } from './chain-aliases.ts'

/** What a phrase of a question means. */
export type Meaning =
  | { readonly kind: 'network'; readonly network: string }
  /** `isHint`: services of other categories may answer as well. `keepsWords`: it says more than the category. */
  | {
      readonly kind: 'category'
      readonly categories: readonly string[]
      readonly isHint: boolean
      readonly keepsWords: boolean
    }
  | { readonly kind: 'facet'; readonly facet: number }
  | { readonly kind: 'subChain'; readonly subChain: string }
  | { readonly kind: 'order'; readonly order: ResultOrder }

export type ResultOrder = 'cheapest' | 'healthiest'

const orders: Readonly<Record<ResultOrder, string>> = {
  cheapest: 'cheapest, cheap, cheaper, lowest price, low cost, lowest cost, affordable, inexpensive, budget',
  healthiest:
    'fastest, fast, low latency, reliable, most reliable, uptime, high uptime, good uptime, stable, healthy, healthiest, working, quickest',
}

export interface PhraseTable {
  /** Returns the longest phrase that begins at a word, and what it means. */
  match(
    words: readonly string[],
    from: number,
  ): { readonly length: number; readonly meanings: readonly Meaning[] } | null
  /** Whether a word is part of any phrase. */
  hasWord(word: string): boolean
  readonly words: readonly string[]
}

export interface PhraseSources {
  readonly networks: readonly string[]
  readonly nameOf: (network: string) => string
  readonly categories: readonly string[]
  /** Names of test networks and the like. */
  readonly subChains: readonly string[]
}

/** Creates the table of the phrases that mean something in a registry: its networks, its categories, facets, orders. */
export function createPhraseTable(sources: PhraseSources): PhraseTable {
  const phrases = new Map<string, Meaning[]>()
  const lengths = new Map<string, number>()

  function add(text: string, meaning: Meaning): void {
    const words = wordsOf(text)
    const [first] = words
    if (first === undefined) return
    const phrase = words.join(' ')
    const known = phrases.get(phrase)
    if (known === undefined) phrases.set(phrase, [meaning])
    else if (meaning.kind !== 'network' || !known.some(({ kind }) => kind === 'network')) known.push(meaning)
    lengths.set(first, Math.max(lengths.get(first) ?? 0, words.length))
  }

  for (const { text, meaning } of [...networkPhrases(sources), ...categoryPhrases(sources)])
    add(text, meaning)
  for (const [facet, { phrases: texts }] of facets.entries()) {
    for (const text of texts) add(text, { kind: 'facet', facet })
  }
  for (const subChain of sources.subChains) {
    if (!/^(mainnet|one|nova|test(net)?|devnet)$/.test(subChain))
      add(subChain, { kind: 'subChain', subChain })
  }
  for (const order of ['cheapest', 'healthiest'] as const) {
    for (const text of orders[order].split(',')) add(text, { kind: 'order', order })
  }
  const words = new Set([...phrases.keys()].flatMap((phrase) => phrase.split(' ')))

  return {
    match(asked, from) {
      for (let length = lengths.get(asked[from] ?? '') ?? 0; length > 0; length--) {
        const meanings = phrases.get(asked.slice(from, from + length).join(' '))
        if (meanings !== undefined && from + length <= asked.length) return { length, meanings }
      }
      return null
    },
    hasWord: (word) => words.has(word),
    words: [...words],
  }
}

interface Phrase {
  readonly text: string
  readonly meaning: Meaning
}

const phrasesOf = (network: string, texts: readonly string[]): Phrase[] =>
  texts.map((text) => ({ text, meaning: { kind: 'network', network } }))

function networkPhrases({ networks, nameOf }: PhraseSources): Phrase[] {
  const aliases = new Map(
    tableLines(chainAliases).map((line) => {
      const [key = '', ...names] = line.split(' ')
      return [key, names.filter((name) => !isForeignAlias(name)).map((name) => name.replaceAll('_', ' '))]
    }),
  )
  // Of two networks with one name, the one that the registry has is meant; and a name of its own goes before an alias.
  const ordered = [...new Set([...networks, ...aliases.keys()])]
  return [
    ...ordered.flatMap((network) => phrasesOf(network, [network, nameOf(network)])),
    ...ordered.flatMap((network) => phrasesOf(network, aliases.get(network) ?? [])),
  ]
}

function categoryPhrases({ categories }: PhraseSources): Phrase[] {
  const known = new Set(categories)
  const own = categories.map((key): Phrase => ({
    text: key,
    meaning: { kind: 'category', categories: [key], isHint: isVague(key), keepsWords: false },
  }))
  const ofTable = tableLines(categoryAliases).flatMap((line) => {
    const [keys = '', texts = ''] = line.split(':')
    const meant = keys.split(' ').filter((key) => known.has(key))
    if (meant.length === 0) return []
    return texts.split(',').map((written): Phrase => {
      const text = written.trim()
      const meaning: Meaning = {
        kind: 'category',
        categories: meant,
        isHint: text.startsWith('('),
        keepsWords: /\+\)?$/.test(text),
      }
      return { text, meaning }
    })
  })
  const said = new Set(ofTable.map(({ text }) => wordsOf(text).join(' ')))
  return [...ofTable, ...own.filter(({ text }) => !said.has(wordsOf(text).join(' ')))]
}

/** Words that nearly every service goes by. */
const isVague = (category: string): boolean => ['apis', 'services', 'platforms'].includes(category)

export const tableLines = (table: string): string[] => table.split('\n').filter((line) => line !== '')
