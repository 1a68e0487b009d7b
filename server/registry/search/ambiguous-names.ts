/**
 * Names and symbols of networks that are ordinary words, too: "bitcoin, ether, etc", "near real time", "a ton of", "dark mode".
 * They mean the network where something beside them says so.
 */
const ambiguousNames: ReadonlySet<string> = new Set(['etc', 'near', 'ton', 'mode'])

/** What stands before or behind the name of a network. */
const beforeName = /^(?:chain|network|blockchain|on)$/
const behindName = /^(?:chain|network|blockchain|protocol|mainnet|testnet|rpc|node|ecosystem)$/
const preposition = /^(?:for|to|from|of|between|via)$/
/** What may follow the name of a network that a preposition is before. */
const connective = /^(?:to|and|or|with|without|that|which|using|by|via|in|on|for|from)$/
/** What follows an ordinary word: "near real time", "near me", "a ton of". */
const behindWord = /^(?:real|realtime|instant|zero|me|future|term|field|of|by)$/

/** A word of a question among the others. */
export interface WordBeside {
  readonly words: readonly string[]
  readonly at: number
  /** What stands directly before it. */
  readonly before: 'nothing' | 'ordinary' | 'network' | 'known'
  /** Whether what follows is a kind of service, such as "block explorer". */
  readonly isBeforeCategory: boolean
  /** The question as it was written. */
  readonly query: string
}

/** Whether a word is a name that means a network only with evidence. */
export const isAmbiguousName = (word: string): boolean => ambiguousNames.has(word)

/** Whether such a word means the network where it stands. */
export function meansNetwork({ words, at, before, isBeforeCategory, query }: WordBeside): boolean {
  const word = words[at] ?? ''
  const next = words[at + 1] ?? ''
  const previous = words[at - 1] ?? ''
  if (isInCapitals(word, query)) return true
  // Behind the name of another network it ends a list.
  if (behindWord.test(next) || (word === 'etc' && before === 'network')) return false
  if (before === 'nothing' || beforeName.test(previous) || behindName.test(next)) return true
  if (preposition.test(previous)) return next === '' || connective.test(next) || isBeforeCategory
  return isBeforeCategory && before !== 'ordinary'
}

const isInCapitals = (word: string, query: string): boolean =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])${word.toUpperCase()}(?![\p{L}\p{N}])`, 'u').test(query)
