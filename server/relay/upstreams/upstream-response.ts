import type { HttpResponse } from '../../platform/http-client/buffered-response.ts'
import type { Field } from '../../platform/http-client/response-head.ts'
import {
  endOfArray,
  endOfObject,
  endOfValue,
  isMemberName,
  type MemberReader,
  noJson,
  skipSpace,
  startOfJson,
} from '../../platform/json/value-end.ts'

/** What an upstream answered to one call. */
export interface UpstreamAnswer {
  readonly isError: boolean
  /** The JSON text of the result, or of the error object, as the upstream wrote it. */
  readonly text: string
}

/** The answers to the calls of one upstream request, in their order; null for a call that was left out. */
export type UpstreamAnswers = readonly (UpstreamAnswer | null)[]

/** The calls that were sent, as far as the response has to fit them. */
export interface SentCalls {
  /** The JSON text of the id of a single call; for a batch the prefix of its ids. */
  readonly id: string
  /** The calls of a batch; null when the request was a single call. */
  readonly count: number | null
}

/** The HTTP response of an upstream, as far as it is an answer to the calls that were sent. */
export interface UpstreamResponse {
  readonly status: number
  /** Null when it is no answer to these calls. */
  readonly answers: UpstreamAnswers | null
  /** True when it cannot belong to this request, so that its connection must not be used again. */
  readonly isForeign: boolean
  readonly fields: readonly Field[]
  /** The body. */
  readonly text: string
}

export function readResponse({ status, text, fields }: HttpResponse, sent: SentCalls): UpstreamResponse {
  const isRedirect = status >= 300 && status < 400
  const answers = isRedirect ? null : readAnswers(text, sent)
  const isForeign = answers === null && !isRedirect && (status < 300 || /^\s*[[{]/.test(text))
  return { status, answers, isForeign, fields, text }
}

/** `null` and `[]` with their like; every longer result says something. */
const longestEmpty = 4

export const isEmptyResult = ({ text }: UpstreamAnswer): boolean => text.length <= longestEmpty

/** Tells whether all entries are results that say something, as nearly always: they need no judgement. */
export function hasPlainResults({ status, answers }: UpstreamResponse): boolean {
  if (answers === null || status >= 300) return false
  for (const answer of answers) {
    if (answer === null || answer.isError || isEmptyResult(answer)) return false
  }
  return true
}

const readAnswers = (text: string, { id, count }: SentCalls): UpstreamAnswers | null =>
  count === null ? readSingle(text, id) : (readBatch(text, count, id) ?? readBatchError(text, count, id))

function readSingle(text: string, id: string): UpstreamAnswers | null {
  const answer = readAnswer(text, id)
  return answer === null ? null : [answer]
}

/** Some nodes and providers answer a batch that they do not take with one error in place of an array. */
function readBatchError(text: string, count: number, prefix: string): UpstreamAnswers | null {
  const reader = new AnswerReader()
  const end = reader.read(text, startOfJson(text), answerDepth)
  if (end === noJson || skipSpace(text, end) !== text.length) return null
  const answer = reader.answer()
  if (answer === null || !answer.isError) return null
  const isOurs = isWithoutId(reader.id, answer) || reader.id.startsWith(prefix)
  return isOurs ? Array.from({ length: count }, () => answer) : null
}

/** Traces of deep call stacks nest far, but not further than this. */
export const answerDepth = 2_048

const openBracket = 0x5b
const closeBrace = 0x7d

/** Nobody can guess our ids, so that none is taken for another. */
const numberInString = /^"\d{1,20}"$/

/** Reads the response objects of one body, one after the other. */
export class AnswerReader implements MemberReader {
  #id = ''
  #result = ''
  #error = ''
  #hasVersion = false
  #isAmbiguous = false

  /** Returns the index after the object, or `noJson`. */
  read(text: string, at: number, levels: number): number {
    this.#id = ''
    this.#result = ''
    this.#error = ''
    this.#hasVersion = false
    this.#isAmbiguous = false
    return endOfObject(text, at, levels - 1, this)
  }

  take(text: string, keyFrom: number, keyTo: number, from: number, to: number): void {
    // The longest comes first: only a key that is longer than a name can be that name in escapes, which is slow to tell.
    if (isMemberName(text, keyFrom, keyTo, 'jsonrpc')) {
      this.#hasVersion = true
      return
    }
    if (isMemberName(text, keyFrom, keyTo, 'result')) this.#result = this.#once(this.#result, text, from, to)
    else if (isMemberName(text, keyFrom, keyTo, 'error'))
      this.#error = this.#once(this.#error, text, from, to)
    else if (isMemberName(text, keyFrom, keyTo, 'id')) this.#id = this.#once(this.#id, text, from, to)
  }

  /** Which of two members with the same name counts is not defined (RFC 8259, section 4). */
  #once(before: string, text: string, from: number, to: number): string {
    if (before !== '') this.#isAmbiguous = true
    return text.slice(from, to)
  }

  /** The JSON text of the id of the object that was read last; our own is the same to a node that writes it as a string. */
  get id(): string {
    return numberInString.test(this.#id) ? this.#id.slice(1, -1) : this.#id
  }

  /**
   * Returns null when the object is no answer, or could be read as two. JSON-RPC 1.0 has both members, one of them null. An error that has no
   * version and no id does not come from a node: proxies and providers in front of it write such objects, with texts
   * that are for its operator.
   */
  answer(): UpstreamAnswer | null {
    if (this.#isAmbiguous) return null
    if (this.#error.startsWith('{')) {
      const isJsonRpc = this.#hasVersion || (this.#id !== '' && this.#id !== 'null')
      return isJsonRpc ? { isError: true, text: this.#error } : null
    }
    if (this.#result === '' || (this.#error !== '' && this.#error !== 'null')) return null
    return { isError: false, text: this.#result }
  }
}

/** Reads the answer to a single call. Returns null when it is none, or incomplete, or has another call's id. */
function readAnswer(text: string, id: string): UpstreamAnswer | null {
  const resultAt = usualStart.length + id.length + usualNext.length
  const isUsual =
    text.startsWith(usualStart) &&
    text.startsWith(id, usualStart.length) &&
    text.startsWith(usualNext, usualStart.length + id.length)
  return (isUsual ? usualAnswer(text, resultAt) : null) ?? anyAnswer(text, id)
}

const usualStart = '{"jsonrpc":"2.0","id":'
const usualNext = ',"result":'

/** Reads a result as most nodes write it. Returns null when the object holds more than the result. */
function usualAnswer(text: string, from: number): UpstreamAnswer | null {
  const end = endOfValue(text, from, answerDepth - 1)
  if (end === noJson || text.charCodeAt(end) !== closeBrace || skipSpace(text, end + 1) !== text.length)
    return null
  return { isError: false, text: text.slice(from, end) }
}

function anyAnswer(text: string, id: string): UpstreamAnswer | null {
  const reader = new AnswerReader()
  const end = reader.read(text, startOfJson(text), answerDepth)
  if (end === noJson || skipSpace(text, end) !== text.length) return null
  const answer = reader.answer()
  return answer !== null && (reader.id === id || isWithoutId(reader.id, answer)) ? answer : null
}

/** An upstream that could not read a call does not know its id either. */
const isWithoutId = (id: string, answer: UpstreamAnswer | null): boolean =>
  answer !== null && answer.isError && (id === 'null' || id === '')

/**
 * Reads the answers to a batch of `count` calls that were sent with the ids that `idInBatch` makes of `prefix`, in the
 * order of the calls; null where one is missing. Returns null for all as soon as one entry answers a call of another
 * batch or a call is answered twice, because then it is no answer to this batch.
 */
function readBatch(text: string, count: number, prefix: string): (UpstreamAnswer | null)[] | null {
  const from = startOfJson(text)
  if (text.charCodeAt(from) !== openBracket) return null
  const answers: (UpstreamAnswer | null)[] = Array.from({ length: count }, () => null)
  const seen = new Uint8Array(count)
  const reader = new AnswerReader()

  const start = usualStart + prefix

  function take(index: number, answer: UpstreamAnswer | null): boolean {
    if (index < 0 || index >= count || seen[index] === 1) return false
    seen[index] = 1
    answers[index] = answer
    return true
  }

  /** Reads a result as most nodes write it, which takes half of the time of reading any answer. */
  function takeUsual(json: string, at: number, levels: number): number {
    const idEnd = at + start.length + usualDigits
    if (!json.startsWith(start, at) || !json.startsWith(usualNext, idEnd)) return noJson
    const resultAt = idEnd + usualNext.length
    const end = endOfValue(json, resultAt, levels - 1)
    if (end === noJson || json.charCodeAt(end) !== closeBrace) return noJson
    const index = placeOf(json.slice(at + start.length, idEnd))
    return take(index, { isError: false, text: json.slice(resultAt, end) }) ? end + 1 : noJson
  }

  function takeAny(json: string, at: number, levels: number): number {
    const end = reader.read(json, at, levels)
    if (end === noJson) return noJson
    const answer = reader.answer()
    if (isWithoutId(reader.id, answer)) return end
    const index = reader.id.startsWith(prefix) ? placeOf(reader.id.slice(prefix.length)) : -1
    return take(index, answer) ? end : noJson
  }

  function takeAnswer(json: string, at: number, levels: number): number {
    const end = takeUsual(json, at, levels)
    return end === noJson ? takeAny(json, at, levels) : end
  }

  const end = endOfArray(text, from, takeAnswer, answerDepth)
  return end === noJson || skipSpace(text, end) !== text.length ? null : answers
}

const usualDigits = 4

/** Returns the place in its batch of a call whose id ends with `digits`; -1 where no id of ours does. */
const placeOf = (digits: string): number => (/^(?:\d{4}|[1-9]\d{4})$/.test(digits) ? Number(digits) - 1 : -1)
