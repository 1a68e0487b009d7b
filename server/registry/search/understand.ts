import type { WordIndex } from '../index/word-index.ts'
import { type WordBeside, isAmbiguousName, meansNetwork } from './ambiguous-names.ts'
import { type FindClosest, createFindClosest } from './closest-name.ts'
import type { Meaning, ResultOrder, PhraseTable } from './phrases.ts'
import { createTranslate } from './translate.ts'

/** One thing that a question asks for. */
export type Wish =
  | { readonly kind: 'word'; readonly text: string; readonly weight: number; readonly terms: readonly Term[] }
  | {
      readonly kind: 'network'
      readonly text: string
      readonly weight: number
      readonly network: string
      readonly terms: readonly Term[]
    }
  | {
      readonly kind: 'category'
      readonly weight: number
      readonly categories: readonly string[]
      readonly isHint: boolean
    }
  | { readonly kind: 'facet'; readonly weight: number; readonly facet: number }
  | { readonly kind: 'subChain'; readonly weight: number; readonly subChain: string }

/** A word to look for, and how much of the wish it fulfils. */
export interface Term {
  readonly word: string
  readonly weight: number
}

export interface Understood {
  readonly wishes: readonly Wish[]
  readonly order: ResultOrder | null
  /** Words that were taken for other ones. */
  readonly corrected: readonly { readonly from: string; readonly to: string }[]
  /** Words that nothing in the registry has. */
  readonly unknown: readonly string[]
  /** Whether the question has anything to look for. */
  readonly isEmpty: boolean
}

const stopWords: ReadonlySet<string> = new Set(
  'a about access agent all am an and any are as at available be best buy by can chain could crypto do does doing find for from get give good great has have how i id in into is it its list look looking me mainly my need needs of on one only or our out over please provider provide query read recommend search service server should show site some something support supported supporting supports system tell that the their them there these they this thi to top tool up use used using user want wa way we website web3 what when where which who will with without work would you your eip155 blockchain blockchains company companies option options popular favourite highest lowest high low most more less alternative alternatives vs versus compare comparison currently now today new latest every each per number real also cannot don t let s'.split(
    ' ',
  ),
)
const maxWords = 16
const beforeChainId = /^(chain|id|eip155|network|chainid)$/
const mostBeginnings = 12

/** Endings of English words that are left off to find words of the same family. */
const stemEnding = /(?:ations?|ation|ions?|ing|ers?|ors?|ed|es|e|y)$/

/** Words that mean nearly the same in this field. */
const synonyms: ReadonlyMap<string, readonly string[]> = new Map([
  ['tvl', ['locked', 'secured']],
  ['gasless', ['paymaster', 'relayer', 'sponsored', 'gasles']],
  ['paymaster', ['gasless', 'relayer', 'bundler']],
  ['bundler', ['erc', '4337', 'abstraction']],
  ['swap', ['swap', 'dex', 'trading', 'exchange']],
  ['price', ['market', 'quote']],
  ['usdc', ['stablecoin']],
  ['stablecoin', ['usdc']],
  ['nft', ['collectible']],
  ['vrf', ['randomness', 'random']],
  ['random', ['randomness', 'vrf']],
  ['indexer', ['indexing', 'subgraph']],
  ['scam', ['fraud', 'phishing', 'risk', 'malicious']],
  ['audit', ['auditing', 'auditor']],
  ['balance', ['portfolio']],
  ['ai', ['agent']],
])

/** Categories by how much they say beside another one: "wallet sdk" asks for SDKs. */
const telling = [
  'mcpservers',
  'faucets',
  'sdks',
  'ramps',
  'storages',
  'oracles',
  'security',
  'explorers',
  'bridges',
  'analytics',
  'wallets',
]

/** Reads questions as people and agents write them. */
export function createUnderstand(words: WordIndex, phrases: PhraseTable) {
  const translate = createTranslate()
  const closest = createFindClosest([...phrases.words, ...words.names])

  /** `within`: the only category that is looked in; null for all. */
  return (query: string, within: string | null): Understood => {
    const isKnown = (word: string): boolean =>
      words.isName(word) || phrases.hasWord(word) || (word.length > 3 && words.has(word))
    const said = translate(query, isKnown).slice(0, maxWords * 2)
    const { corrected, spelt } = spellingOf(said, words, phrases, closest)
    const meanings: Meaning[] = []
    const plain: string[] = []
    let before = ''
    let kindBefore: WordBeside['before'] = 'nothing'
    const isBeforeCategory = (at: number): boolean =>
      phrases.match(spelt, at + 1)?.meanings.some(({ kind }) => kind === 'category') ?? false
    const names = new Map<string, string>()
    for (let from = 0; from < spelt.length;) {
      const found = phrases.match(spelt, from)
      if (found?.length === 1 && isAmbiguousName(spelt[from] ?? '')) {
        const beside = { words: spelt, at: from, before: kindBefore, query }
        if (!meansNetwork({ ...beside, isBeforeCategory: isBeforeCategory(from) })) {
          kindBefore = 'ordinary'
          from++
          continue
        }
      }
      const matched = spelt.slice(from, from + (found?.length ?? 1))
      const isPlain = found === null || isLoneNumber(matched, spelt[from - 1])
      const [first = ''] = matched
      if (isPlain) {
        plain.push(first)
        // A name that is written in two words: "the graph", "quick node".
        if (words.isName(before + first)) plain.push(before + first)
        before = first
      } else {
        before = ''
        const meant = found.meanings.filter((meaning) => !isOutside(meaning, within))
        meanings.push(...meant)
        for (const meaning of meant) {
          if (meaning.kind === 'network') names.set(meaning.network, matched.join(' '))
          if (meaning.kind === 'category' && meaning.keepsWords) plain.push(...matched)
        }
        if (meant.length < found.meanings.length) plain.push(...matched)
      }
      kindBefore = kindOf(isPlain ? null : found.meanings, first)
      from += isPlain ? 1 : matched.length
    }
    return wishesOf({ words, meanings, plain, names, corrected, said, within })
  }
}

/** What an ambiguous name is told by that stands behind it. */
function kindOf(meanings: readonly Meaning[] | null, word: string): WordBeside['before'] {
  if (meanings === null) return stopWords.has(word) ? 'known' : 'ordinary'
  return meanings.some(({ kind }) => kind === 'network') ? 'network' : 'known'
}

/** Whether a phrase means a category that is not looked in: "wallet" among MCP servers asks for those that have to do with wallets. */
const isOutside = (meaning: Meaning, within: string | null): boolean =>
  meaning.kind === 'category' && within !== null && !meaning.categories.includes(within)

/** A short number is a chain id only after a word that says so. */
const isLoneNumber = ([first = '', ...rest]: readonly string[], before: string | undefined): boolean =>
  rest.length === 0 && /^\d{1,4}$/.test(first) && !beforeChainId.test(before ?? '')

function spellingOf(said: readonly string[], words: WordIndex, phrases: PhraseTable, closest: FindClosest) {
  const corrected: { from: string; to: string }[] = []
  const spelt = said.map((word) => {
    if (words.has(word) || phrases.hasWord(word) || stopWords.has(word)) return word
    if (word.length >= 3 && words.startingWith(word, 1).length > 0) return word
    const to = closest(word)
    if (to === null) return word
    corrected.push({ from: word, to })
    return to
  })
  return { corrected, spelt }
}

interface Parts {
  readonly words: WordIndex
  readonly meanings: readonly Meaning[]
  readonly plain: readonly string[]
  /** How each network was named. */
  readonly names: ReadonlyMap<string, string>
  readonly corrected: Understood['corrected']
  readonly said: readonly string[]
  readonly within: string | null
}

function wishesOf({ words, meanings, plain, names, corrected, said, within }: Parts): Understood {
  const category = categoryOf(meanings) ?? (names.size > 1 && within === null ? betweenNetworks : null)
  const wishes: Wish[] = category === null ? [] : [{ kind: 'category', ...category.wish }]
  for (const [network, text] of names) {
    wishes.push({
      kind: 'network',
      text,
      weight: 1.6,
      network,
      terms: text.split(' ').map((word) => ({ word, weight: 1 })),
    })
  }
  for (const facet of new Set(meanings.flatMap((one) => (one.kind === 'facet' ? [one.facet] : []))))
    wishes.push({ kind: 'facet', weight: 1.3, facet })
  for (const subChain of new Set(meanings.flatMap((one) => (one.kind === 'subChain' ? [one.subChain] : []))))
    wishes.push({ kind: 'subChain', weight: 1.3, subChain })
  const distinct = [...new Set([...plain, ...(category?.rest ?? [])])]
  const tellingWords = distinct.filter((word) => !stopWords.has(word))
  const asked = tellingWords.length > 0 || wishes.length > 0 ? tellingWords : distinct
  const found = asked.slice(0, maxWords).map((word) => wishOfWord(words, word))
  wishes.push(...found.flatMap((wish) => (wish.terms.length > 0 ? [wish] : [])))
  const order = meanings.find((one) => one.kind === 'order')?.order ?? null
  return {
    wishes,
    order,
    corrected,
    unknown: found.filter(({ terms }) => terms.length === 0).map(({ text }) => text),
    isEmpty: said.length === 0,
  }
}

function wishOfWord(words: WordIndex, word: string): Wish & { readonly kind: 'word' } {
  const terms: Term[] = words.has(word) ? [{ word, weight: 1 }] : []
  if (word.length >= 3) {
    for (const longer of words.startingWith(word, mostBeginnings)) {
      if (longer !== word) terms.push({ word: longer, weight: terms.length === 0 ? 0.7 : 0.4 })
    }
  }
  const stem = word.replace(stemEnding, '')
  if (stem !== word && stem.length >= 4) {
    for (const similar of words.startingWith(stem, mostBeginnings)) {
      if (!terms.some((term) => term.word === similar)) terms.push({ word: similar, weight: 0.6 })
    }
  }
  for (const same of synonyms.get(word) ?? []) if (words.has(same)) terms.push({ word: same, weight: 0.8 })
  const rarity = Math.max(0, ...terms.map((term) => words.rarity(term.word) * term.weight))
  const weight = Math.min(1.3, Math.max(0.4, rarity / 4))
  return { kind: 'word', text: word, weight, terms }
}

const rankOf = (key = ''): number => (telling.includes(key) ? telling.indexOf(key) : telling.length)

/** Two networks without a category: from one to the other, it seems. */
const betweenNetworks = { wish: { categories: ['bridges'], isHint: true, weight: 0.6 }, rest: [] } as const

/** Returns the category that is asked for; of several the one that says most, and the others' words as words. */
function categoryOf(meanings: readonly Meaning[]) {
  const all = meanings.filter((one) => one.kind === 'category')
  const strong = all.filter(({ isHint }) => !isHint)
  const [main, ...others] = (strong.length > 0 ? strong : all).toSorted(
    (one, other) => rankOf(one.categories[0]) - rankOf(other.categories[0]),
  )
  if (main === undefined) return null
  const rest = others
    .filter(({ categories }) => categories[0] !== main.categories[0])
    .flatMap(({ categories }) => (categories[0] === 'apis' ? [] : [(categories[0] ?? '').replace(/s$/, '')]))
  return { wish: { categories: main.categories, isHint: main.isHint, weight: main.isHint ? 0.6 : 2 }, rest }
}
