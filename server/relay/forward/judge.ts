import { type CallAnswer, readAnswer } from '../answers/answer-reader.ts'
import { isOverloadAnswer } from '../answers/overload.ts'
import { readBatch } from '../answers/read-batch.ts'
import type { HttpAnswer } from '../wire/answer-parser.ts'

/** Answers to the calls of one request to an upstream, in their order; null where it left one out. */
export type Answers = readonly (CallAnswer | null)[]

/** What an HTTP answer of an upstream amounts to. */
export type Judgement =
  | { readonly kind: 'answers'; readonly answers: Answers }
  /** It has too much to do; `answers`: what it said, where it said so in JSON-RPC. */
  | { readonly kind: 'overloaded'; readonly answers: Answers | null }
  | { readonly kind: 'no-answer'; readonly why: 'redirect' | 'status' | 'not-json-rpc' }

/** `count`: calls of a batch; null: the request was a single call. */
export function judge({ status, text }: HttpAnswer, count: number | null): Judgement {
  if (status >= 300 && status < 400) return { kind: 'no-answer', why: 'redirect' }
  const answers = readAnswers(text, count)
  if (answers !== null) {
    const isOverloaded = status === 429 || status === 503 || answers.every(isOverload)
    return isOverloaded ? { kind: 'overloaded', answers } : { kind: 'answers', answers }
  }
  if (status === 429 || status === 503) return { kind: 'overloaded', answers: null }
  return { kind: 'no-answer', why: status < 300 ? 'not-json-rpc' : 'status' }
}

function readAnswers(text: string, count: number | null): Answers | null {
  if (count !== null) return readBatch(text, count)
  const answer = readAnswer(text)
  return answer === null ? null : [answer]
}

const isOverload = (answer: CallAnswer | null): boolean =>
  answer !== null && answer.isError && isOverloadAnswer(answer.text)
