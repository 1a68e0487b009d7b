import * as z from 'zod/mini'

import type { FaultMode } from './fault-mode.ts'

const Request = z.looseObject({ id: z.unknown(), method: z.string(), params: z.optional(z.unknown()) })
const Answer = z.looseObject({ result: z.optional(z.unknown()) })
const Block = z.looseObject({ number: z.string(), timestamp: z.string() })

type Request = z.infer<typeof Request>
type Answer = z.infer<typeof Answer>

/** The whole answer of the modes that need no node; null for the others. */
export function answerWithoutNode(requestText: string, fault: FaultMode): string | null {
  if (fault.mode !== 'rpc-error' && fault.mode !== 'no-batch') return null
  const request = parse(requestText)
  const isBatch = Array.isArray(request)
  if (fault.mode === 'no-batch') {
    return isBatch ? JSON.stringify(errorTo(null, -32600, 'batches are not supported')) : null
  }
  const error = ({ id }: Request) => errorTo(id, fault.code, fault.message)
  return JSON.stringify(isBatch ? z.array(Request).parse(request).map(error) : error(Request.parse(request)))
}

const errorTo = (id: unknown, code: number, message: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})

/** The node's answer as the fault makes it. `stuckAnswers` keeps the first result of each call. */
export function alterAnswer(
  requestText: string,
  answerText: string,
  fault: FaultMode,
  stuckAnswers: Map<string, unknown>,
): string {
  if (fault.mode === 'truncate') return answerText.slice(0, answerText.length / 2)
  if (!isAltering(fault)) return answerText

  const request = parse(requestText)
  const alterOne = (asked: unknown, answered: unknown) =>
    alterResult(Request.parse(asked), Answer.parse(answered), fault, stuckAnswers)
  if (!Array.isArray(request)) return JSON.stringify(alterOne(request, parse(answerText)))
  const answers = z.array(z.unknown()).parse(parse(answerText))
  return JSON.stringify(answers.map((answer, index) => alterOne(request[index], answer)))
}

type AlteringFault = Extract<FaultMode, { mode: 'lie' | 'wrong-chain' | 'stuck' | 'full-blocks' }>

const isAltering = (fault: FaultMode): fault is AlteringFault =>
  ['lie', 'wrong-chain', 'stuck', 'full-blocks'].includes(fault.mode)

function alterResult(
  { method, params }: Request,
  answer: Answer,
  fault: AlteringFault,
  stuckAnswers: Map<string, unknown>,
): Answer {
  switch (fault.mode) {
    case 'stuck': {
      const call = JSON.stringify([method, params])
      if (!stuckAnswers.has(call)) stuckAnswers.set(call, answer.result)
      return { ...answer, result: stuckAnswers.get(call) }
    }
    case 'wrong-chain':
      return method === 'eth_chainId' ? { ...answer, result: shifted('0x0', fault.chainId) } : answer
    case 'full-blocks':
      return method === 'eth_getBlockByNumber'
        ? { ...answer, result: { ...Block.parse(answer.result), transactions: hashes(fault.transactions) } }
        : answer
    case 'lie':
      if (method === 'eth_blockNumber') {
        return { ...answer, result: shifted(z.string().parse(answer.result), fault.headOffset) }
      }
      return method === 'eth_getBlockByNumber'
        ? { ...answer, result: lyingBlock(answer.result, fault) }
        : answer
  }
}

const hashes = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `0x${index.toString(16).padStart(64, '0')}`)

function lyingBlock(
  result: unknown,
  { headOffset, timestampOffsetSec = 0 }: Extract<FaultMode, { mode: 'lie' }>,
) {
  const block = Block.parse(result)
  return {
    ...block,
    number: shifted(block.number, headOffset),
    timestamp: shifted(block.timestamp, timestampOffsetSec),
  }
}

/** Below zero the sign stands before the prefix, which no reader may take for a quantity. */
function shifted(quantity: string, offset: number): string {
  const value = BigInt(quantity) + BigInt(offset)
  return value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`
}

const parse = (text: string): unknown => JSON.parse(text)
