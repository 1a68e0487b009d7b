import { methodPattern, type ParsedCall } from './parsed-call.ts'

const space = 0x20
const quote = 0x22
const comma = 0x2c
const minus = 0x2d
const zero = 0x30
const nine = 0x39
const colon = 0x3a
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** What plain texts do not have: control characters, and escapes. */
const notPlain = /[^\x20-\uffff]|\\/

/**
 * Reads a batch as libraries write it: no escapes, no line breaks, no fractions, no member twice, none that JSON-RPC does
 * not know. Returns null for anything else, valid or not; `parseAnyRequest` then decides. It takes a third of that one's
 * time, because it makes no text but those that are passed on, and expects each entry to look like the one before.
 */
export function parsePlainBatch(
  text: string,
  { batchCalls, depth }: { readonly batchCalls: number; readonly depth: number },
): ParsedCall[] | null {
  if (notPlain.test(text)) return null
  const calls: ParsedCall[] = []
  const reader = new PlainReader(text, depth - 2)
  if (!reader.passes(openBracket)) return null
  do {
    const call = reader.likeBefore() ?? reader.call()
    if (call === null || calls.length === batchCalls) return null
    calls.push(call)
  } while (reader.passes(comma))
  return reader.passes(closeBracket) && reader.isAtEnd ? calls : null
}

/** An entry that had both, and what stood in it besides: before its id and its parameters, between, and after them. */
interface Layout {
  readonly isIdFirst: boolean
  readonly method: string
  readonly before: string
  readonly between: string
  readonly after: string
}

/** Goes through a text from its beginning. The methods named `passes…` return false where something else stands. */
class PlainReader {
  readonly #text: string
  /** How many arrays and objects may nest inside each other in a member of a call. */
  readonly #levels: number
  #at = 0
  #layout: Layout | null = null

  constructor(text: string, levels: number) {
    this.#text = text
    this.#levels = levels
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length
  }

  /** Passes a character and the spaces after it. */
  passes(char: number): boolean {
    if (this.#text.charCodeAt(this.#at) !== char) return false
    this.#at++
    this.#passSpaces()
    return true
  }

  /** Reads a call that is written as the one before, with another id and other parameters. Null, and stays, if it is not. */
  likeBefore(): ParsedCall | null {
    const layout = this.#layout
    if (layout === null) return null
    const start = this.#at
    const { isIdFirst, method } = layout
    if (this.#passesText(layout.before)) {
      const first = isIdFirst ? this.#takeId() : this.#takeParams()
      if (first !== '' && this.#passesText(layout.between)) {
        const second = isIdFirst ? this.#takeParams() : this.#takeId()
        if (second !== '' && this.#passesText(layout.after)) {
          return isIdFirst
            ? { kind: 'call', id: first, method, params: second, isLegacy: false }
            : { kind: 'call', id: second, method, params: first, isLegacy: false }
        }
      }
    }
    this.#at = start
    return null
  }

  call(): ParsedCall | null {
    const start = this.#at
    let hasVersion = false
    let method = ''
    let [id, idAt, params, paramsAt] = ['', 0, '', 0]
    if (!this.passes(openBrace)) return null
    do {
      // The second letter tells the names apart.
      const letter = this.#text.charCodeAt(this.#at + 1)
      let isRead = false
      if (letter === 0x6a && !hasVersion) {
        isRead = hasVersion = this.#passesName('"jsonrpc"') && this.#passesText('"2.0"')
      } else if (letter === 0x69 && id === '' && this.#passesName('"id"')) {
        idAt = this.#at
        id = this.#takeId()
        isRead = id !== ''
      } else if (letter === 0x6d && method === '' && this.#passesName('"method"')) {
        method = this.#takeMethod()
        isRead = method !== ''
      } else if (letter === 0x70 && params === '' && this.#passesName('"params"')) {
        paramsAt = this.#at
        params = this.#takeParams()
        isRead = params !== ''
      }
      if (!isRead) return null
      this.#passSpaces()
    } while (this.passes(comma))
    if (!hasVersion || method === '' || !this.passes(closeBrace)) return null
    this.#layout =
      id === '' || params === '' ? null : this.#layoutOf(start, method, [idAt, id], [paramsAt, params])
    return { kind: 'call', id: id === '' ? null : id, method, params, isLegacy: false }
  }

  #layoutOf(
    start: number,
    method: string,
    [idAt, id]: readonly [number, string],
    [paramsAt, params]: readonly [number, string],
  ): Layout {
    const text = this.#text
    const isIdFirst = idAt < paramsAt
    const [firstAt, firstEnd] = isIdFirst ? [idAt, idAt + id.length] : [paramsAt, paramsAt + params.length]
    const [secondAt, secondEnd] = isIdFirst ? [paramsAt, paramsAt + params.length] : [idAt, idAt + id.length]
    return {
      isIdFirst,
      method,
      before: text.slice(start, firstAt),
      between: text.slice(firstEnd, secondAt),
      after: text.slice(secondEnd, this.#at),
    }
  }

  #passSpaces(): void {
    while (this.#text.charCodeAt(this.#at) === space) this.#at++
  }

  #passesEnd(char: number): boolean {
    if (this.#text.charCodeAt(this.#at) !== char) return false
    this.#at++
    return true
  }

  #passesText(expected: string): boolean {
    if (!this.#text.startsWith(expected, this.#at)) return false
    this.#at += expected.length
    return true
  }

  #passesName(quotedName: string): boolean {
    if (!this.#passesText(quotedName)) return false
    this.#passSpaces()
    return this.passes(colon)
  }

  /** Empty where no id stands. */
  #takeId(): string {
    const from = this.#at
    return this.#passesScalar() && !isBoolean(this.#text.charCodeAt(from))
      ? this.#text.slice(from, this.#at)
      : ''
  }

  /** Empty where no name of a method stands. */
  #takeMethod(): string {
    const from = this.#at + 1
    const method = this.#passesString() ? this.#text.slice(from, this.#at - 1) : ''
    return methodPattern.test(method) ? method : ''
  }

  /** Empty where neither an array nor an object stands. */
  #takeParams(): string {
    const from = this.#at
    return this.#passesContainer(this.#levels) ? this.#text.slice(from, this.#at) : ''
  }

  #passesValue(levels: number): boolean {
    const char = this.#text.charCodeAt(this.#at)
    return char === openBracket || char === openBrace ? this.#passesContainer(levels) : this.#passesScalar()
  }

  #passesContainer(levels: number): boolean {
    if (levels <= 0) return false
    if (this.passes(openBracket)) {
      if (this.#passesEnd(closeBracket)) return true
      do {
        if (!this.#passesValue(levels - 1)) return false
        this.#passSpaces()
      } while (this.passes(comma))
      return this.#passesEnd(closeBracket)
    }
    if (!this.passes(openBrace)) return false
    if (this.#passesEnd(closeBrace)) return true
    do {
      if (!this.#passesString()) return false
      this.#passSpaces()
      if (!this.passes(colon) || !this.#passesValue(levels - 1)) return false
      this.#passSpaces()
    } while (this.passes(comma))
    return this.#passesEnd(closeBrace)
  }

  #passesScalar(): boolean {
    switch (this.#text.charCodeAt(this.#at)) {
      case quote:
        return this.#passesString()
      case 0x74:
        return this.#passesText('true')
      case 0x66:
        return this.#passesText('false')
      case 0x6e:
        return this.#passesText('null')
      default:
        return this.#passesInteger()
    }
  }

  #passesString(): boolean {
    if (this.#text.charCodeAt(this.#at) !== quote) return false
    const end = this.#text.indexOf('"', this.#at + 1)
    if (end < 0) return false
    this.#at = end + 1
    return true
  }

  #passesInteger(): boolean {
    if (this.#text.charCodeAt(this.#at) === minus) this.#at++
    const from = this.#at
    while (isDigit(this.#text.charCodeAt(this.#at))) this.#at++
    const digits = this.#at - from
    return digits === 1 || (digits > 1 && this.#text.charCodeAt(from) !== zero)
  }
}

const isDigit = (char: number): boolean => char >= zero && char <= nine

const isBoolean = (char: number): boolean => char === 0x74 || char === 0x66
