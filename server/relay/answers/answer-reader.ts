import { endOfObject, endOfValue, isKey, type MemberReader, noJson, skipSpace } from '../json/value-end.ts'

const closeBrace = 0x7d

/** What an upstream answered to one call. */
export interface CallAnswer {
  readonly isError: boolean
  /** JSON text of the result, or of the error object, as the upstream wrote it. */
  readonly text: string
}

/** Traces of deep call stacks nest far, but not further than this. */
export const answerDepth = 2_048

/** Reads the answer objects of one body. */
export class AnswerReader implements MemberReader {
  #id = ''
  #result = ''
  #error = ''
  #hasVersion = false

  /** Returns where the object ends, or `noJson`. */
  read(text: string, at: number, levels: number): number {
    this.#id = ''
    this.#result = ''
    this.#error = ''
    this.#hasVersion = false
    return endOfObject(text, at, levels - 1, this)
  }

  take(text: string, keyFrom: number, keyTo: number, from: number, to: number): void {
    // The longest first: only a key that is longer than a name can be that name in escapes, which takes long to tell.
    if (isKey(text, keyFrom, keyTo, 'jsonrpc')) {
      this.#hasVersion = true
      return
    }
    if (isKey(text, keyFrom, keyTo, 'result')) this.#result = text.slice(from, to)
    else if (isKey(text, keyFrom, keyTo, 'error')) this.#error = text.slice(from, to)
    else if (isKey(text, keyFrom, keyTo, 'id')) this.#id = text.slice(from, to)
  }

  /** JSON text of the id of the object that was read last. */
  get id(): string {
    return this.#id
  }

  /**
   * Null: it is no answer. JSON-RPC 1.0 has both members, one of them null. An error that has no version and names no call
   * is none of a node: proxies and providers in front of it write such objects, with texts that are for its operator.
   */
  made(): CallAnswer | null {
    if (this.#error.startsWith('{')) {
      const isJsonRpc = this.#hasVersion || (this.#id !== '' && this.#id !== 'null')
      return isJsonRpc ? { isError: true, text: this.#error } : null
    }
    if (this.#result === '' || (this.#error !== '' && this.#error !== 'null')) return null
    return { isError: false, text: this.#result }
  }
}

/** Reads the answer to a single call that was sent with this id. Null: it is none, or not all of it, or another call's. */
export function readAnswer(text: string, id: string): CallAnswer | null {
  const resultAt = usualStart.length + id.length + usualNext.length
  const isUsual =
    text.startsWith(usualStart) &&
    text.startsWith(id, usualStart.length) &&
    text.startsWith(usualNext, usualStart.length + id.length)
  return (isUsual ? usualAnswer(text, resultAt) : null) ?? anyAnswer(text, id)
}

const usualStart = '{"jsonrpc":"2.0","id":'
const usualNext = ',"result":'

/** As most nodes write a result. Null: there is more in it than the result. */
function usualAnswer(text: string, from: number): CallAnswer | null {
  const end = endOfValue(text, from, answerDepth - 1)
  if (end === noJson || text.charCodeAt(end) !== closeBrace || skipSpace(text, end + 1) !== text.length)
    return null
  return { isError: false, text: text.slice(from, end) }
}

function anyAnswer(text: string, id: string): CallAnswer | null {
  const reader = new AnswerReader()
  const end = reader.read(text, skipSpace(text, 0), answerDepth)
  if (end === noJson || skipSpace(text, end) !== text.length) return null
  const answer = reader.made()
  return answer !== null && (reader.id === id || isWithoutId(reader.id, answer)) ? answer : null
}

/** An upstream that could not read a call does not know its id either. */
export const isWithoutId = (id: string, answer: CallAnswer | null): boolean =>
  answer !== null && answer.isError && (id === 'null' || id === '')
