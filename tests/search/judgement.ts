/** One thing that an entry of the registry has to be: every test must pass. */
export interface Judged {
  readonly serviceId: string
  readonly category: string
  readonly chain: string
  readonly cells: Readonly<Record<string, unknown>>
}

export type Judgement = (entry: Judged) => boolean

export interface JudgedQuestion {
  /** From 1, without the comments: odd ones are for tuning, even ones are held out. */
  readonly line: number
  readonly text: string
  readonly isAnswer: Judgement
}

/** Reads the file of questions. Throws on a line that is not understood. */
export function readQuestions(file: string): JudgedQuestion[] {
  return file
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line, place) => {
      const bar = line.lastIndexOf(' | ')
      return { line: place + 1, text: line.slice(0, bar), isAnswer: readJudgement(line.slice(bar + 3)) }
    })
}

function readJudgement(text: string): Judgement {
  const alternatives = text
    .trim()
    .split(' or ')
    .map((one) => [...one.matchAll(/\w*:\/(?:[^/])+\/i?|\S+/g)].map(([word]) => readWord(word)))
  return (entry) => alternatives.some((tests) => tests.every((test) => test(entry)))
}

const facts: Readonly<Record<string, Judgement>> = {
  free: ({ cells }) =>
    /^(free|public|freemium)/i.test(textOf(cells['planType'])) ||
    ['price', 'accessPrice', 'pricing'].some((column) => /^(\$0|free)/i.test(textOf(cells[column]))),
  nokey: ({ cells }) =>
    /^(public|none)$/i.test(textOf(cells['planType'])) ||
    textOf(cells['authType']) === 'None' ||
    /no key|without a key/i.test(writtenOf(cells)),
  archive: ({ cells }) => /archive/i.test(writtenOf(cells)),
  websocket: ({ cells }) => /websocket|wss:/i.test(JSON.stringify(cells)),
  testnet: ({ cells }) =>
    textOf(cells['chain']) !== '' && !/^(mainnet|one|nova)$/i.test(textOf(cells['chain'])),
}

function readWord(word: string): Judgement {
  if (word.startsWith('@')) {
    const networks = word.slice(1).split(',')
    return ({ chain }) => networks.includes(chain)
  }
  const [, column, pattern] = /^(\w+):\/(.+)\/i?$/.exec(word) ?? []
  if (column !== undefined && pattern !== undefined) {
    const wanted = new RegExp(pattern, 'i')
    if (column === 'name') {
      return ({ cells }) =>
        ['provider', 'slug', 'offer', 'name'].some((one) => wanted.test(textOf(cells[one])))
    }
    if (column === 'text') return ({ cells }) => wanted.test(writtenOf(cells))
    return ({ cells }) => wanted.test(textOf(cells[column]))
  }
  const known = facts[word]
  if (known !== undefined) return known
  const categories = word.split(',')
  return ({ category }) => categories.includes(category)
}

/** A cell as text; a list as its members. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(' ')
  return value === null || value === undefined ? '' : String(value)
}

/** Everything that is written about an entry, without its addresses. */
const writtenOf = (cells: Readonly<Record<string, unknown>>): string =>
  Object.values(cells)
    .map(textOf)
    .join(' ')
    .replaceAll(/https?:\/\/[^\s)\]]+/g, ' ')
