import { foldText, wordsOf } from '../index/words.ts'
import { chainAliases, isForeignAlias } from './chain-aliases.ts'
import { foreignWords } from './languages.ts'
import { tableLines } from './phrases.ts'

/** Replaces words of other languages by English ones. `isKnown` says which words mean something as they are. */
export type Translate = (text: string, isKnown: (word: string) => boolean) => string[]

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]/u
const unspacedRun = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu

interface Tables {
  /** English words by a phrase whose words are separated by spaces. */
  readonly exact: ReadonlyMap<string, readonly string[]>
  /** English words by the beginning of a word. */
  readonly beginnings: ReadonlyMap<string, readonly string[]>
  readonly longestPhrase: number
  readonly longestRun: number
}

/** Reads the tables once: they are the same for every registry. */
export function createTranslate(): Translate {
  const tables = readTables()
  return (text, isKnown) => {
    const words = wordsOf(
      text.replaceAll(unspacedRun, (run) => ` ${segmented(foldText(run), tables).join(' ')} `),
    )
    const said: string[] = []
    for (let from = 0; from < words.length;) {
      const found = phraseAt(words, from, tables, isKnown)
      said.push(...(found?.english ?? [words[from] ?? '']))
      from += found?.length ?? 1
    }
    return said
  }
}

function readTables(): Tables {
  const exact = new Map<string, readonly string[]>()
  const beginnings = new Map<string, readonly string[]>()
  const add = (written: string, english: readonly string[]): void => {
    const isBeginning = written.endsWith('*')
    const key = wordsOf(written.replaceAll('_', ' ').replace('*', '')).join(' ')
    if (key !== '') (isBeginning ? beginnings : exact).set(key, english)
  }
  for (const line of tableLines(chainAliases)) {
    const [key = '', ...names] = line.split(' ')
    for (const name of names) if (isForeignAlias(name)) add(name, wordsOf(key))
  }
  for (const line of tableLines(foreignWords)) {
    const [meaning = '', foreign = ''] = line.split(/: ?/)
    const english = meaning === '-' ? [] : wordsOf(meaning)
    for (const written of foreign.split(' ')) add(written, english)
  }
  const keys = [...exact.keys(), ...beginnings.keys()]
  return {
    exact,
    beginnings,
    longestPhrase: Math.max(...keys.map((key) => key.split(' ').length)),
    longestRun: Math.max(...keys.map((key) => key.length)),
  }
}

/** Cuts a run of characters without spaces into the longest words that are known; what is between them is passed over. */
function segmented(run: string, { exact, beginnings, longestRun }: Tables): string[] {
  const words: string[] = []
  let rest = ''
  for (let from = 0; from < run.length;) {
    let length = Math.min(longestRun, run.length - from)
    while (
      length > 0 &&
      !exact.has(run.slice(from, from + length)) &&
      !beginnings.has(run.slice(from, from + length))
    )
      length--
    if (length === 0) {
      rest += run[from] ?? ''
      from++
      continue
    }
    words.push(run.slice(from, from + length))
    from += length
  }
  return words.length > 0 ? words : [rest]
}

function phraseAt(
  words: readonly string[],
  from: number,
  { exact, beginnings, longestPhrase }: Tables,
  isKnown: (word: string) => boolean,
): { readonly length: number; readonly english: readonly string[] } | null {
  for (let length = Math.min(longestPhrase, words.length - from); length > 0; length--) {
    const phrase = words.slice(from, from + length).join(' ')
    if (length === 1 && isKnown(phrase) && !unspaced.test(phrase)) return null
    const english = exact.get(phrase)
    if (english !== undefined) return { length, english }
    // Only the last word of a phrase may have any ending.
    const shortest = Math.max(phrase.lastIndexOf(' ') + 2, unspaced.test(phrase) ? 1 : 3)
    for (let end = phrase.length; end >= shortest; end--) {
      const begun = beginnings.get(phrase.slice(0, end))
      if (begun !== undefined) return { length, english: begun }
    }
  }
  return null
}
