import type { HttpResponse } from '../../platform/http-client/buffered-response.ts'
import {
  endOfArray,
  endOfObject,
  endOfValue,
  isMemberName,
  type MemberReader,
  noJson,
  skipSpace,
} from '../json/value-end.ts'

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

/**
 * What the HTTP response of an upstream amounts to. When `isForeign` is true the response cannot belong to this request,
 * and its connection must not be used again.
 */
export type ResponseClass =
  | { readonly kind: 'answers'; readonly answers: UpstreamAnswers; readonly isForeign: false }
  /** The upstream has too much to do; `answers` holds what it said about it, where that is JSON-RPC. */
  | { readonly kind: 'overloaded'; readonly answers: UpstreamAnswers | null; readonly isForeign: boolean }
  | {
      readonly kind: 'no-answer'
      readonly reason: 'redirect' | 'status' | 'not-json-rpc'
      readonly isForeign: boolean
    }

export function classifyResponse({ status, text }: HttpResponse, sent: SentCalls): ResponseClass {
  if (status >= 300 && status < 400) return { kind: 'no-answer', reason: 'redirect', isForeign: false }
  const answers = sent.count === null ? readSingle(text, sent.id) : readBatch(text, sent.count, sent.id)
  const isOverloaded = status === 429 || status === 503
  if (answers !== null) {
    const kind = isOverloaded || answers.every(isOverload) ? 'overloaded' : 'answers'
    return { kind, answers, isForeign: false }
  }
  const isForeign = status < 300 || /^\s*[[{]/.test(text)
  if (isOverloaded) return { kind: 'overloaded', answers, isForeign }
  return { kind: 'no-answer', reason: status < 300 ? 'not-json-rpc' : 'status', isForeign }
}

function readSingle(text: string, id: string): UpstreamAnswers | null {
  const answer = readAnswer(text, id)
  return answer === null ? null : [answer]
}

const isOverload = (answer: UpstreamAnswer | null): boolean =>
  answer !== null && answer.isError && isOverloadError(answer.text)

/** EIP-1474's "limit exceeded", and the status 429 that some providers use as a code. */
const overloadCode = /"code"\s*:\s*(?:-32005|429)\b/
/** Words of providers for it under other codes. Limits of a single call ("more than 10000 results") are not meant. */
const overloadText =
  /rate.?limit|too many requests|compute units per second|capacity (?:limit )?exceeded|request limit reached|overloaded|server is busy/i

/** Tells whether an error object says that this upstream has too much to do, so that another one may well answer. */
const isOverloadError = (error: string): boolean =>
  error.length < 2_000 &&
  (overloadText.test(error) || (overloadCode.test(error) && !/results|range/i.test(error)))

/** Traces of deep call stacks nest far, but not further than this. */
export const answerDepth = 2_048

const openBracket = 0x5b
const closeBrace = 0x7d

/** Reads the response objects of one body, one after the other. */
export class AnswerReader implements MemberReader {
  #id = ''
  #result = ''
  #error = ''
  #hasVersion = false

  /** Returns the index after the object, or `noJson`. */
  read(text: string, at: number, levels: number): number {
    this.#id = ''
    this.#result = ''
    this.#error = ''
    this.#hasVersion = false
    return endOfObject(text, at, levels - 1, this)
  }

  take(text: string, keyFrom: number, keyTo: number, from: number, to: number): void {
    // The longest comes first: only a key that is longer than a name can be that name in escapes, which is slow to tell.
    if (isMemberName(text, keyFrom, keyTo, 'jsonrpc')) {
      this.#hasVersion = true
      return
    }
    if (isMemberName(text, keyFrom, keyTo, 'result')) this.#result = text.slice(from, to)
    else if (isMemberName(text, keyFrom, keyTo, 'error')) this.#error = text.slice(from, to)
    else if (isMemberName(text, keyFrom, keyTo, 'id')) this.#id = text.slice(from, to)
  }

  /** The JSON text of the id of the object that was read last. */
  get id(): string {
    return this.#id
  }

  /**
   * Returns null when the object is no answer. JSON-RPC 1.0 has both members, one of them null. An error that has no
   * version and no id does not come from a node: proxies and providers in front of it write such objects, with texts
   * that are for its operator.
   */
  answer(): UpstreamAnswer | null {
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
  const end = reader.read(text, skipSpace(text, 0), answerDepth)
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
  const from = skipSpace(text, 0)
  if (text.charCodeAt(from) !== openBracket) return null
  const answers: (UpstreamAnswer | null)[] = Array.from({ length: count }, () => null)
  const seen = new Uint8Array(count)
  const reader = new AnswerReader()

  function takeAnswer(json: string, at: number, levels: number): number {
    const end = reader.read(json, at, levels)
    if (end === noJson) return noJson
    const answer = reader.answer()
    if (isWithoutId(reader.id, answer)) return end
    const digits = reader.id.startsWith(prefix) ? reader.id.slice(prefix.length) : ''
    const index = /^(?:\d{4}|[1-9]\d{4})$/.test(digits) ? Number(digits) - 1 : -1
    if (index < 0 || index >= count || seen[index] === 1) return noJson
    seen[index] = 1
    answers[index] = answer
    return end
  }

  const end = endOfArray(text, from, takeAnswer, answerDepth)
  return end === noJson || skipSpace(text, end) !== text.length ? null : answers
}
