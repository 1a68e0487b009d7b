import * as z from 'zod/mini'

import type { Family } from '../../../shared/chains.ts'
import type { ProbeError } from '../../../shared/verifier-protocol.ts'
import { parseJson } from '../../platform/json.ts'
import { ProbeFailure } from './probe.ts'

/** Parses JSON. @throws ProbeFailure `NOT_JSON`, for an empty text too */
export function parseProbeAnswer(text: string): unknown {
  const value = parseJson(text)
  if (value === undefined) throw new ProbeFailure('NOT_JSON')
  return value
}

/**
 * Reads a value of the expected shape.
 * @throws ProbeFailure `RPC_ERROR`: it is JSON, but not what this method answers
 */
export function readAs<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> {
  const read = schema.safeParse(value)
  if (!read.success) throw new ProbeFailure('RPC_ERROR')
  return read.data
}

const Envelope = z.object({ result: z.optional(z.unknown()), error: z.optional(z.unknown()) })
const CodedError = z.object({ code: z.number() })

/**
 * Returns the `result` of one JSON-RPC answer. An `error` of null beside it is that of JSON-RPC 1.0 (Bitcoin).
 * @throws ProbeFailure `RATE_LIMITED`, `RPC_ERROR`
 */
export function resultOf(answer: unknown, family: Family): unknown {
  const { result, error } = readAs(Envelope, answer)
  if (error !== undefined && error !== null) throw new ProbeFailure(failureOfError(error, family))
  if (result === undefined) throw new ProbeFailure('RPC_ERROR')
  return result
}

/**
 * Whether a body that came with a bad status is still a node's own JSON-RPC error, which tells more than the status:
 * bitcoind sends its errors with 500. The specification's codes and those of Bitcoin are negative; a gateway in front
 * of the node, which writes HTTP statuses there, is not meant.
 */
export function isNodeError(body: unknown): boolean {
  const envelope = Envelope.safeParse(body)
  if (!envelope.success) return false
  const error = CodedError.safeParse(envelope.data.error)
  return error.success && error.data.code < 0
}

function failureOfError(error: unknown, family: Family): ProbeError {
  const coded = CodedError.safeParse(error)
  return coded.success && saysTooMany(coded.data.code, family) ? 'RATE_LIMITED' : 'RPC_ERROR'
}

const tooManyEverywhere: ReadonlySet<number> = new Set([429, -32429])
const tooManyUnlessSolana: ReadonlySet<number> = new Set([-32005, -32007])

/**
 * 429 and -32429 are what providers write who repeat the HTTP status in the body. -32005 is "limit exceeded" in EIP-1474, and
 * -32007 that of QuickNode; on Solana they are "node is behind" and "slot was skipped".
 */
const saysTooMany = (code: number, family: Family): boolean =>
  tooManyEverywhere.has(code) || (tooManyUnlessSolana.has(code) && family !== 'solana')
