import { type CallAnswer, readAnswer } from '../answers/answer-reader.ts'
import { isOverloadAnswer } from '../answers/overload.ts'
import { readBatch } from '../answers/read-batch.ts'
import type { HttpResponse } from '../../platform/http-client/buffered-response.ts'

/** Answers to the calls of one request to an upstream, in their order; null where it left one out. */
export type Answers = readonly (CallAnswer | null)[]

/** What an HTTP response of an upstream amounts to. */
export type Judgement =
  | { readonly kind: 'answers'; readonly answers: Answers; readonly isForeign: false }
  /** It has too much to do; `answers`: what it said, where it said so in JSON-RPC. */
  | { readonly kind: 'overloaded'; readonly answers: Answers | null; readonly isForeign: boolean }
  | {
      readonly kind: 'no-answer'
      readonly why: 'redirect' | 'status' | 'not-json-rpc'
      /** It cannot be what this request was answered: its connection must not be used again. */
      readonly isForeign: boolean
    }

/** What was asked, as far as its answer has to fit. */
export interface SentCalls {
  /** JSON text of the id of a single call; what the ids of a batch begin with. */
  readonly id: string
  /** Calls of a batch; null: the request was a single call. */
  readonly count: number | null
}

export function judge({ status, text }: HttpResponse, sent: SentCalls): Judgement {
  if (status >= 300 && status < 400) return { kind: 'no-answer', why: 'redirect', isForeign: false }
  const answers = sent.count === null ? readSingle(text, sent.id) : readBatch(text, sent.count, sent.id)
  const isOverloaded = status === 429 || status === 503
  if (answers !== null) {
    const kind = isOverloaded || answers.every(isOverload) ? 'overloaded' : 'answers'
    return { kind, answers, isForeign: false }
  }
  const isForeign = status < 300 || /^\s*[[{]/.test(text)
  if (isOverloaded) return { kind: 'overloaded', answers, isForeign }
  return { kind: 'no-answer', why: status < 300 ? 'not-json-rpc' : 'status', isForeign }
}

function readSingle(text: string, id: string): Answers | null {
  const answer = readAnswer(text, id)
  return answer === null ? null : [answer]
}

const isOverload = (answer: CallAnswer | null): boolean =>
  answer !== null && answer.isError && isOverloadAnswer(answer.text)
