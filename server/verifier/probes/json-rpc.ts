import type { Target } from '../../../shared/verifier-protocol.ts'
import { accessOf } from './access.ts'
import { isNodeError, parseProbeAnswer, resultOf } from './answer.ts'
import { failureOfStatus } from './http-status.ts'
import { type ProbeExchange, ProbeFailure } from './probe.ts'

/** One JSON-RPC call. */
export interface Call {
  method: string
  params: unknown[] | Record<string, unknown>
}

/** Statuses that are about who asks and how often, which no node's own error explains better. */
const refusesCaller: ReadonlySet<number> = new Set([401, 403, 429])

export const numbered = (call: Call, id: number) => ({ jsonrpc: '2.0', id, ...call })

/**
 * Calls one method and returns its `result`.
 * @throws ProbeFailure
 */
export async function callOne(target: Target, call: Call, exchange: ProbeExchange): Promise<unknown> {
  return resultOf(await postJson(target, numbered(call, 1), exchange), target.family)
}

/**
 * Posts a JSON body to the endpoint and returns the JSON of the answer.
 * @throws ProbeFailure
 */
export async function postJson(target: Target, body: unknown, exchange: ProbeExchange): Promise<unknown> {
  const { url, headers } = accessOf(target)
  const response = await exchange({
    url,
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const failure = failureOfStatus(response.status)
  if (failure === null) return parseProbeAnswer(response.text)
  // Whoever refuses a client or limits it may put it in words of JSON-RPC, but the status says for certain what is meant.
  if (refusesCaller.has(response.status)) return fail(failure)
  return nodeErrorIn(response.text) ?? fail(failure)
}

/** The error object that a node sent along with a bad status; undefined where there is none. */
function nodeErrorIn(text: string): unknown {
  try {
    const body = parseProbeAnswer(text)
    return isNodeError(body) ? body : undefined
  } catch (error) {
    if (error instanceof ProbeFailure) return undefined
    throw error
  }
}

function fail(error: ProbeFailure['error']): never {
  throw new ProbeFailure(error)
}
