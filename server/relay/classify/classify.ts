import type { Family } from '../../../shared/chains.ts'
import { parseJson } from '../../platform/json.ts'
import { limitRules, providerRules, standardCodes } from './common-rules.ts'
import { type AnswerClass, type ErrorRules, matchRules, type ReadError } from './error-rules.ts'
import { evmCallFailures, evmCodes, evmMissing, evmOutcomes } from './evm-rules.ts'
import {
  bitcoinRules,
  cosmosRules,
  filecoinRules,
  nearRules,
  solanaRules,
  starknetRules,
  substrateRules,
} from './family-rules.ts'

const internalError: ErrorRules = {
  class: 'node-failure',
  source: 'JSON-RPC 2.0: internal error',
  codes: [-32_603],
}
const limitCode: ErrorRules = { class: 'limit', source: 'EIP-1474: limit exceeded', codes: [-32_005] }

const common = [...providerRules, ...limitRules]
const otherCodes = [...standardCodes, internalError, limitCode]
/** The bounds of a call come before the limits of a caller, because their texts hold the same words. */
const evm = [...evmOutcomes, ...evmCallFailures, ...evmMissing, ...common, ...standardCodes, ...evmCodes]

/** The rules of the families that are called by JSON-RPC; the first match counts. */
export const rulesByFamily: Partial<Readonly<Record<Family, readonly ErrorRules[]>>> = {
  evm,
  solana: [...solanaRules, ...common, ...otherCodes],
  bitcoin: [...bitcoinRules, ...common, ...otherCodes],
  cosmos: [...cosmosRules, ...evm],
  near: [...nearRules, ...common, ...otherCodes],
  starknet: [...starknetRules, ...common, ...otherCodes],
  substrate: [...substrateRules, ...evm],
  filecoin: [...filecoinRules, ...evm],
}
const otherFamilies = [...common, ...otherCodes]

/** Longer texts are data of calls, not words about them. */
const textChars = 2_000

/** What an upstream answered to a call, as far as it decides what the answer amounts to. */
export interface AnsweredError {
  readonly family: Family
  /** The status of the HTTP response. */
  readonly status: number
  /** The JSON text of the error object. */
  readonly error: string
  readonly method: string
  /** The JSON text of the parameters; empty without any. */
  readonly params: string
}

/** Returns what an error amounts to, by the status it came with, its text and its code, in this order. */
export function classifyError(answered: AnsweredError): AnswerClass {
  const { family, status } = answered
  const read = readError(answered.error)
  const byStatus = classOfStatus(family, status)
  if (byStatus === 'limit' && read.text.includes('sender is over rate limit')) return 'answer'
  if (byStatus !== null) return byStatus
  const match = matchRules(read, rulesByFamily[family] ?? otherFamilies)
  if (match === null) return 'call-failure'
  if (tracesPast.test(answered.method) && hadFunds.test(match.found)) return 'missing-data'
  const blamesNode =
    match.class === 'limit' || match.class === 'node-failure' || match.class === 'unsupported'
  if (blamesNode && match.found !== '' && repeatsCall(match.found, answered, read)) return 'answer'
  return match.class
}

/**
 * What is traced is in a block, so it had its funds: a tracer that misses them lacks the state before it, which another
 * node may have (eRPC, architecture/evm/error_normalizer.go). Calls that are only tried out may lack funds.
 */
const tracesPast = /^(?:trace|arbtrace|debug_trace)(?!_?(?:call|rawtransaction))/i
const hadFunds = /^insufficient ?(?:funds|balance)/

/**
 * Bitcoin Core answers errors of calls with the statuses 404 and 500 over JSON-RPC 1.0 and 1.1, Lotus with 500 all but
 * those of unreadable requests (go-jsonrpc, handler.go: `rpcError`).
 */
const speaksByStatus: Partial<Readonly<Record<Family, readonly number[]>>> = {
  bitcoin: [404, 500],
  filecoin: [500],
}

/** Returns what a status amounts to whatever the body says; null when the body decides. */
export function classOfStatus(family: Family, status: number): AnswerClass | null {
  if (status < 300 || speaksByStatus[family]?.includes(status) === true) return null
  if (status === 429) return 'limit'
  if (status === 413) return 'call-failure'
  if (status === 401 || status === 402 || status === 403 || status === 407) return 'node-failure'
  return status >= 500 || status < 400 ? 'node-failure' : null
}

/**
 * Tells whether the words that speak against the node may be the caller's own: nodes repeat parameters in errors, and a
 * call must not be able to silence a node for others.
 */
function repeatsCall(found: string, { method, params }: AnsweredError, { code }: ReadError): boolean {
  if (code === -32_602) return true
  const sent = `${method} ${JSON.stringify(parseJson(params)) ?? ''}`.toLowerCase()
  return sent.includes(found)
}

interface ErrorObject {
  readonly code?: unknown
  readonly message?: unknown
}

function readError(error: string): ReadError {
  const value = parseJson(error)
  if (typeof value !== 'object' || value === null) return { code: null, text: '' }
  const { code, message, ...rest }: ErrorObject = value
  const said = typeof message === 'string' ? message : ''
  const more = Object.keys(rest).length === 0 ? '' : ` ${JSON.stringify(rest)}`
  return {
    code: codeOf(code),
    text: (said.slice(0, textChars) + more.slice(0, textChars)).toLowerCase(),
  }
}

/** Some providers write the code as a string. */
function codeOf(code: unknown): number | null {
  if (typeof code === 'number') return code
  return typeof code === 'string' && /^-?\d{1,6}$/.test(code) ? Number(code) : null
}
