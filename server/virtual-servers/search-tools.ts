import type { ExposedTool } from './expose-tools.ts'

/** Finds tools by words; the best first. An empty question finds all, in their order. */
export type FindTools = (question: string) => readonly ExposedTool[]

interface IndexedTool {
  readonly tool: ExposedTool
  /** How often a word stands in the tool's texts, weighted by where. */
  readonly weights: ReadonlyMap<string, number>
  readonly length: number
  readonly isReading: boolean
}

/** The name says what a tool does, and is what people ask for; the names of arguments say with what. */
const weightOf = { name: 5, title: 3, description: 1, argument: 0.5 } as const

/** BM25's usual constants: how fast repetition saturates, and how much long texts are marked down. */
const saturation = 1.2
const lengthShare = 0.5

/** The share of a word's weight that counts where a tool has only another word for the same. */
const likeness = 0.6

/** How much better a tool that only reads fits a question that names no action: it is the harmless guess. */
const readingShare = 1.05

/** Creates the search over the tools of a virtual server: BM25 over fields, with other words for common actions. */
export function createFindTools(tools: readonly ExposedTool[]): FindTools {
  const indexed = tools.map(indexedTool)
  const meanLength = indexed.reduce((sum, { length }) => sum + length, 0) / Math.max(1, indexed.length)
  const scores = scoresByWord(indexed, meanLength)

  /** Adds what one word of the question counts for each tool: the word itself, or less for another that says the same. */
  function addWord(total: Float64Array, word: string): void {
    const best = new Map<number, number>()
    for (const other of [word, ...(sameAs.get(word) ?? [])]) {
      const share = other === word ? 1 : likeness
      for (const [index, score] of scores.get(other) ?? [])
        best.set(index, Math.max(best.get(index) ?? 0, share * score))
    }
    for (const [index, score] of best) total[index] = (total[index] ?? 0) + score
  }

  return (question) => {
    const words = [...new Set(wordsIn(question))].filter((word) => !fillers.has(word))
    if (words.length === 0) return tools
    const total = new Float64Array(tools.length)
    for (const word of words) addWord(total, word)
    const namesAction = words.some((word) => actions.has(word))
    return indexed
      .map(({ tool, isReading }, index) => {
        const share = isReading && !namesAction ? readingShare : 1
        return { tool, score: share * (total[index] ?? 0) }
      })
      .filter(({ score }) => score > 0)
      .toSorted((one, other) => other.score - one.score)
      .map(({ tool }) => tool)
  }
}

/** Returns the score of each word in each tool that has it, by the tool's index. */
function scoresByWord(indexed: readonly IndexedTool[], meanLength: number) {
  const having = new Map<string, Map<number, number>>()
  for (const [index, { weights }] of indexed.entries()) {
    for (const [word, weight] of weights) {
      const ofWord = having.get(word) ?? new Map<number, number>()
      having.set(word, ofWord.set(index, weight))
    }
  }
  for (const ofWord of having.values()) {
    const rarity = Math.log(1 + (indexed.length - ofWord.size + 0.5) / (ofWord.size + 0.5))
    for (const [index, weight] of ofWord) {
      const { length } = indexed[index] ?? { length: meanLength }
      const norm = saturation * (1 - lengthShare + (lengthShare * length) / meanLength)
      ofWord.set(index, (rarity * weight * (saturation + 1)) / (weight + norm))
    }
  }
  return having
}

function indexedTool(tool: ExposedTool): IndexedTool {
  const weights = new Map<string, number>()
  const { name, title, description, inputSchema } = tool.definition
  add(weights, name, weightOf.name)
  add(weights, title, weightOf.title)
  add(weights, description, weightOf.description)
  for (const argument of argumentNames(inputSchema)) add(weights, argument, weightOf.argument)
  const isReading = wordsIn(name).some((word) => readings.has(word))
  return {
    tool,
    weights,
    isReading,
    length: [...weights.values()].reduce((sum, weight) => sum + weight, 0),
  }
}

function add(weights: Map<string, number>, text: unknown, weight: number): void {
  if (typeof text !== 'string') return
  for (const word of wordsIn(text)) weights.set(word, (weights.get(word) ?? 0) + weight)
}

/** Returns the names of a tool's arguments. */
export function argumentNames(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null || !('properties' in schema)) return []
  const { properties } = schema
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
}

const words = /[\p{L}\p{M}\p{N}]+/gu

/** Scripts in which words follow each other without spaces: what stands between two spaces is a sentence. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

/**
 * Returns the words of a text in lower case: `createIssue` and `create_issues` have the same, and `查询天气` has two. Half
 * and full width are one.
 */
export const wordsIn = (text: string): string[] =>
  (
    text
      .normalize('NFKC')
      .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .match(words) ?? []
  ).flatMap((run) => (unspaced.test(run) ? segmentsOf(run) : [stem(run)]))

/** The dictionaries of ICU know these words, whatever the language of the segmenter. */
const segmentsOf = (run: string): string[] => Array.from(segmenter.segment(run), ({ segment }) => segment)

/** Cuts the commonest English endings, so that one form of a word finds the others. */
function stem(word: string): string {
  if (word.length <= 3) return word
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:ches|shes|sses|xes|zes)$/.test(word)) return word.slice(0, -2)
  if (word.endsWith('s') && !/(?:ss|us|is)$/.test(word)) return word.slice(0, -1)
  return word
}

/** Words of questions that say nothing about a tool. */
const fillers: ReadonlySet<string> = new Set(
  wordsIn(
    'a an the of in on at to for from with by and or my me i we our you your it its is are be can do does how what which want need please some any all this that into about there has have was were who',
  ),
)

/** Words that tools use for reading. */
const readingGroups = [
  'list browse show all enumerate',
  'get read fetch retrieve show view details lookup look',
  'search find query lookup',
]

/** Words that tools use for changing something. */
const changingGroups = [
  'create add new make open insert register write schedule',
  'delete remove drop destroy erase',
  'update edit modify change set patch rename scale resize',
  'send post publish',
  'cancel abort stop terminate',
  'close resolve finish complete',
  'run execute start trigger launch',
  'upload attach',
]

/** Other words for the same thing. */
const thingGroups = [
  'message chat dm',
  'comment reply note',
  'issue ticket bug task',
  'user member person people account contact',
  'file document',
  'folder directory',
  'calendar meeting event appointment',
  'email mail',
  'pay payment charge',
  'refund reimburse money back',
  'repository repo',
  'pull request pr merge',
  'deploy release rollout',
  'customer client',
  'invoice bill',
  'alert alarm incident',
  'price cost quote',
  'balance fund',
]

const sameAs: ReadonlyMap<string, readonly string[]> = (() => {
  const found = new Map<string, Set<string>>()
  for (const group of [...readingGroups, ...changingGroups, ...thingGroups].map(wordsIn)) {
    for (const word of group) {
      const others = found.get(word) ?? new Set()
      for (const other of group) if (other !== word) others.add(other)
      found.set(word, others)
    }
  }
  return new Map([...found].map(([word, others]) => [word, [...others]]))
})()

const readings: ReadonlySet<string> = new Set(readingGroups.flatMap(wordsIn))
const actions: ReadonlySet<string> = new Set(changingGroups.flatMap(wordsIn))
