import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/client'

import { distrustConnectionOf } from '../../platform/egress.ts'
import { remembered } from '../../platform/remembered.ts'
import type { DownstreamAnswer, Post } from './downstream-fetch.ts'
import type { DownstreamExchange } from './exchanges.ts'
import { DownstreamError, DownstreamRefusal } from './failure.ts'
import { readEvents } from './read-events.ts'

/** The parameters of a JSON-RPC request. */
export type Params = Readonly<Record<string, unknown>>

const decoder = new TextDecoder()

export interface PlainRequestsOptions {
  /** The guarded sender of this connection. */
  readonly post: Post
  readonly protocolVersion: string
  readonly ourselves: { readonly name: string; readonly version: string }
  hear(message: JSONRPCMessage): void
}

/** Sends one request and returns its result unchanged. Rejects like `Downstream.request`. */
export type PlainRequest = (method: string, params: Params, exchange: DownstreamExchange) => Promise<unknown>

/**
 * Returns true for a name that can be sent as a header unchanged. Any other name has to be encoded, which the SDK
 * does.
 */
export const isPlainName = (name: unknown): boolean =>
  name === undefined || (typeof name === 'string' && /^[A-Za-z0-9_./-]+$/.test(name))

/**
 * Sends requests of protocol 2026-07-28 and later, where each is a POST that stands alone. Sending them through the
 * SDK takes longer than the rest of a call.
 */
export function createPlainRequest(options: PlainRequestsOptions): PlainRequest {
  const { post, protocolVersion, ourselves, hear } = options

  async function answerIn({ body }: DownstreamAnswer, id: string): Promise<unknown> {
    if (body === null || body instanceof Uint8Array) return JSON.parse(decoder.decode(body ?? undefined))
    for await (const data of readEvents(body)) {
      const message = JSON.parse(data)
      if (message?.id === id || isResponse(message)) return message
      hear(message)
    }
    throw new DownstreamError('not_mcp', 'no answer')
  }

  /** Frozen, so that what goes over the wire is made of them once. Neither a method nor a plain name has a blank. */
  const headersOf = remembered((called) => {
    const [method = '', name] = called.split(' ')
    return Object.freeze({
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': protocolVersion,
      'mcp-method': method,
      ...(name !== undefined && { 'mcp-name': name }),
    })
  })

  return async (method, params, exchange) => {
    const meta = typeof params._meta === 'object' ? params._meta : {}
    const _meta = {
      [PROTOCOL_VERSION_META_KEY]: protocolVersion,
      [CLIENT_INFO_META_KEY]: ourselves,
      [CLIENT_CAPABILITIES_META_KEY]: {},
      ...meta,
    }
    const headers = headersOf(typeof params.name === 'string' ? `${method} ${params.name}` : method)
    const body = JSON.stringify({ jsonrpc: '2.0', id: exchange.id, method, params: { ...params, _meta } })
    const answered = await post(headers, body, exchange)
    const { response } = answered
    const answer: unknown = await answerIn(answered, exchange.id).catch((error: unknown) => {
      if (error instanceof SyntaxError) throw notMcp(response)
      throw error
    })
    if (isForeign(answer, exchange.id)) {
      distrustConnectionOf(response)
      throw notMcp(response)
    }
    return resultOf(answer, response)
  }
}

const notMcp = (response: Response): DownstreamError =>
  response.ok
    ? new DownstreamError('not_mcp', 'no JSON-RPC')
    : new DownstreamError('unreachable', `HTTP ${response.status}`)

const isResponse = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && ('result' in message || 'error' in message)

/**
 * Returns true for the answer to another request. A server that could not read a request does not know its id either.
 */
function isForeign(answer: unknown, id: string): boolean {
  if (typeof answer !== 'object' || answer === null || !('id' in answer)) return false
  return answer.id !== id && !(answer.id === null && 'error' in answer)
}

function resultOf(answer: unknown, response: Response): unknown {
  if (typeof answer !== 'object' || answer === null || !('id' in answer)) throw notMcp(response)
  if ('error' in answer) throw refusalOf(answer.error) ?? notMcp(response)
  if (!('result' in answer)) throw notMcp(response)
  const { result } = answer
  if (typeof result !== 'object' || result === null || !('resultType' in result)) throw notMcp(response)
  const { resultType, ...complete } = result
  if (resultType === 'complete') return complete
  if (resultType === 'input_required') return result
  throw notMcp(response)
}

function refusalOf(error: unknown): DownstreamRefusal | null {
  if (typeof error !== 'object' || error === null || !('code' in error) || !('message' in error)) return null
  const { code, message } = error
  if (typeof code !== 'number' || typeof message !== 'string') return null
  return new DownstreamRefusal(code, message, 'data' in error ? error.data : undefined)
}
