import { endOfArray, noJson, skipSpace } from '../json/value-end.ts'
import { answerDepth, AnswerReader, type CallAnswer } from './answer-reader.ts'

/**
 * Reads the answers to a batch of `count` calls that were sent with the ids 1 to `count`, in the order of the calls;
 * null where one is missing. Null for all: it is no answer to a batch.
 */
export function readBatch(text: string, count: number): (CallAnswer | null)[] | null {
  const from = skipSpace(text, 0)
  if (text.charCodeAt(from) !== 0x5b) return null
  const answers: (CallAnswer | null)[] = Array.from({ length: count }, () => null)
  const reader = new AnswerReader()

  function takeAnswer(json: string, at: number, levels: number): number {
    const end = reader.read(json, at, levels)
    const place = /^[1-9]\d{0,5}$/.test(reader.id) ? Number(reader.id) - 1 : count
    if (end !== noJson && place < count) answers[place] = reader.made()
    return end
  }

  const end = endOfArray(text, from, takeAnswer, answerDepth)
  return end === noJson || skipSpace(text, end) !== text.length ? null : answers
}
