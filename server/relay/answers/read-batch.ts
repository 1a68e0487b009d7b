import { endOfArray, noJson, skipSpace } from '../json/value-end.ts'
import { answerDepth, AnswerReader, type CallAnswer, isWithoutId } from './answer-reader.ts'

/**
 * Reads the answers to a batch of `count` calls that were sent with ids as `idInBatch` makes them, in the order of
 * the calls; null where one is missing. Null for all: it is no answer to this batch, as soon as one entry answers a call
 * of another one or a call is answered twice.
 */
export function readBatch(text: string, count: number, prefix: string): (CallAnswer | null)[] | null {
  const from = skipSpace(text, 0)
  if (text.charCodeAt(from) !== 0x5b) return null
  const answers: (CallAnswer | null)[] = Array.from({ length: count }, () => null)
  const seen = new Uint8Array(count)
  const reader = new AnswerReader()

  function takeAnswer(json: string, at: number, levels: number): number {
    const end = reader.read(json, at, levels)
    if (end === noJson) return noJson
    const answer = reader.made()
    if (isWithoutId(reader.id, answer)) return end
    const digits = reader.id.startsWith(prefix) ? reader.id.slice(prefix.length) : ''
    const place = /^(?:\d{4}|[1-9]\d{4})$/.test(digits) ? Number(digits) - 1 : -1
    if (place < 0 || place >= count || seen[place] === 1) return noJson
    seen[place] = 1
    answers[place] = answer
    return end
  }

  const end = endOfArray(text, from, takeAnswer, answerDepth)
  return end === noJson || skipSpace(text, end) !== text.length ? null : answers
}
