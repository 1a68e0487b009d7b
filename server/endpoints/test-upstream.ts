import * as z from 'zod/mini'

import type { Chain, Family } from '../../shared/chains.ts'
import type { UpstreamTest } from '../../shared/endpoints.ts'
import { harmlessCalls } from '../../shared/harmless-calls.ts'
import type { Clock } from '../platform/clock.ts'
import { type Egress, EgressError, type EgressErrorCode } from '../platform/egress.ts'
import { privateAddressText, privateHostOf } from '../platform/egress/private-address.ts'
import { parseJson } from '../platform/json.ts'
import { unpredictableId } from '../platform/json-rpc-ids.ts'
import type { Endpoint, Upstream } from './endpoint.ts'

const timeoutMs = 5_000
const maxBytes = 64 << 10

/**
 * Advice for operators by failure. The texts contain neither what the node answered nor more of the address than its
 * host.
 */
const failureTexts: Readonly<Record<Exclude<EgressErrorCode, 'ADDRESS'>, string>> = {
  DNS: 'its name is not known; check the address',
  DNS_TIMEOUT: 'its name could not be looked up in time',
  SCHEME: 'its address must begin with http:// or https://',
  USERINFO: 'its address cannot be used',
  PORT: 'its port is not allowed',
  REDIRECT: 'it sends callers elsewhere; give the address where it really is',
  TIMEOUT: `it did not answer within ${timeoutMs / 1_000} s`,
  TOO_LARGE: 'its answer is far too long for a node',
  CONNECT: 'it cannot be reached; is it running?',
  TLS: 'its certificate is not valid',
  PROTOCOL: 'its answer is no HTTP',
  ABORTED: 'the server is stopping',
  URL: 'its address cannot be used',
}

const Answer = z.object({
  id: z.optional(z.unknown()),
  result: z.optional(z.unknown()),
  error: z.optional(z.unknown()),
})

export interface TestUpstreamDeps {
  readonly egress: Pick<Egress, 'request'>
  readonly clock: Pick<Clock, 'monotonic'>
}

/** Sends one harmless call to an upstream, and returns its latency and whether it succeeded. */
export async function testUpstream(
  { family, chain, isRest, methods }: Pick<Endpoint, 'family' | 'chain' | 'isRest' | 'methods'>,
  { id, url, headers }: Upstream,
  { egress, clock }: TestUpstreamDeps,
): Promise<UpstreamTest> {
  const method = harmlessCalls[family] ?? null
  const callId = unpredictableId()
  const startedAt = clock.monotonic()
  try {
    const { status, text } = await egress.request(
      isRest
        ? { url: withPath(url, plainPathOf(methods)), headers, timeoutMs, maxBytes }
        : {
            url,
            method: 'POST',
            headers: { 'content-type': 'application/json', ...headers },
            body: JSON.stringify({ jsonrpc: '2.0', id: Number(callId), method, params: [] }),
            timeoutMs,
            maxBytes,
          },
    )
    const latencyMs = Math.round((clock.monotonic() - startedAt) * 10) / 10
    const message = isRest
      ? statusFailureOf(status, plainPathOf(methods))
      : failureOf({ status, answer: readAnswer(text), callId }, family, chain)
    return message === null ? { id, ok: true, latencyMs } : { id, ok: false, latencyMs, message }
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    const failed = { id, ok: false, latencyMs: null } as const
    return error.code === 'ADDRESS'
      ? { ...failed, message: privateAddressText(url), ...privateHostOf(url) }
      : { ...failed, message: failureTexts[error.code] }
  }
}

/** Returns the first path of the rules that holds no wildcard; null where each does. */
function plainPathOf({ allow }: Endpoint['methods']): string | null {
  const found = allow.find((pattern) => pattern.startsWith('GET ') && !pattern.includes('*'))
  return found === undefined ? null : found.slice('GET '.length)
}

function withPath(address: string, path: string | null): string {
  const url = new URL(address)
  url.pathname = url.pathname.replace(/\/$/, '') + (path ?? '/')
  return url.href
}

function refusedBy(status: number): string | null {
  if (status === 401 || status === 403) return `it refuses the credentials (HTTP ${status})`
  return status === 429 ? 'it answers that there are too many calls (HTTP 429)' : null
}

/** Without a path that it should have, any answer shows that it is there. */
function statusFailureOf(status: number, path: string | null): string | null {
  const isGood = status < 300 || (path === null && status >= 400 && status < 500)
  return refusedBy(status) ?? (isGood ? null : `it answers HTTP ${status} at ${path ?? '/'}`)
}

interface TestAnswer {
  readonly status: number
  readonly answer: z.infer<typeof Answer> | null
  readonly callId: string
}

function failureOf(
  { status, answer, callId }: TestAnswer,
  family: Family,
  chain: Chain | undefined,
): string | null {
  const refused = refusedBy(status)
  if (refused !== null) return refused
  if (answer === null) {
    return status === 200
      ? 'its answer is no JSON-RPC; check the path of the address'
      : `it answers HTTP ${status}`
  }
  if (answer.error !== undefined && answer.error !== null) return 'it answers with a JSON-RPC error'
  // The relay passes on no answer to another call.
  if (String(answer.id) !== callId) return 'its answer has another id than the call'
  if (family !== 'evm' || typeof chain?.chainId !== 'number') return null
  const chainId = typeof answer.result === 'string' ? Number(answer.result) : Number.NaN
  if (chainId === chain.chainId) return null
  return Number.isSafeInteger(chainId)
    ? `it is a node of another chain: its chain id is ${chainId}, that of ${chain.key} is ${chain.chainId}`
    : 'it does not say its chain id'
}

/** Returns null for a text that is not a JSON-RPC response. */
function readAnswer(text: string): z.infer<typeof Answer> | null {
  const { data } = Answer.safeParse(parseJson(text.replace(/^\uFEFF/, '')))
  return data !== undefined && ('result' in data || 'error' in data) ? data : null
}
