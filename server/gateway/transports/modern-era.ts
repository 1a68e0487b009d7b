import { AsyncLocalStorage } from 'node:async_hooks'

import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  type ServerEventBus,
  isSpecType,
  createMcpHandler,
  isInputRequiredResult,
} from '@modelcontextprotocol/server'

import { type Fields, isFields } from '../../../shared/fields.ts'
import { isSubscription } from '../../platform/standing-stream.ts'
import type { ClientCall } from '../tools/tool.ts'
import type { RunNamedTool, ToolsOf } from '../tool-set.ts'
import type { McpClient, ServerFor } from '../mcp-server.ts'
import type { ToolResult, WriteResult } from '../tool-result.ts'
import type { GatewaySettings } from '../settings.ts'
import type { GatewayRequest } from '../authentication.ts'
import type { StandingStreams } from './standing-streams.ts'

/** The maximum number of `subscriptions/listen` streams. */
const maxSubscriptions = 1_024

export interface ModernEra {
  answer(incoming: GatewayRequest, body: unknown): Promise<Response>
  /** Answers a call that was already parsed. `body` is the whole message. */
  answerPlain(incoming: GatewayRequest, call: PlainCall, body: unknown): Response | Promise<Response>
  close(): Promise<void>
}

interface ModernEraParts {
  readonly serverFor: ServerFor
  readonly toolsOf: ToolsOf
  readonly write: WriteResult
  readonly standingStreams: StandingStreams
}

/**
 * Serves protocol 2026-07-28 and later: each request stands alone and gets an MCP server of its own where it
 * needs one.
 */
export function createModernEra(
  { serverFor, toolsOf, write, standingStreams }: ModernEraParts,
  { keepAliveMs, bodyBytes }: GatewaySettings,
  onerror: (error: Error) => void,
): ModernEra {
  const clients = new WeakMap<Request, McpClient>()
  /** The client whose subscription is being opened: the SDK has one bus for the subscriptions of all addresses. */
  const subscriber = new AsyncLocalStorage<McpClient>()
  const bus: ServerEventBus = {
    publish: () => undefined,
    subscribe(listener) {
      const client = subscriber.getStore()
      if (client === undefined) return () => undefined
      return toolsOf(client.caller).watch(() => listener({ kind: 'tools_list_changed' }))
    },
  }
  const entry = createMcpHandler(
    ({ requestInfo }) => {
      const client = requestInfo && clients.get(requestInfo)
      if (client === undefined) throw new TypeError('a request came in beside the door')
      return serverFor(client)
    },
    { legacy: 'reject', keepAliveMs, maxRequestBodySize: bodyBytes, maxSubscriptions, onerror, bus },
  )

  function answer(request: Request, client: McpClient, body: unknown): Promise<Response> {
    clients.set(request, client)
    const fetched = () => entry.fetch(request, { parsedBody: body })
    if (!isSubscription(body)) return fetched()
    return standingStreams.serve(client.caller, () => subscriber.run(client, fetched))
  }

  return {
    answer: ({ request, caller }, body) => answer(request, { caller, session: null }, body),
    answerPlain(incoming, call, body) {
      const { request, caller } = incoming
      const finish = (result: ToolResult): Response | Promise<Response> =>
        // What it asks for must be something that the client can be asked for: the SDK sees to that.
        isQuestion(result)
          ? answer(request, { caller, session: null, result }, body)
          : written(call, write(result))
      const result = call.run(call.given, clientCall(incoming, call))
      return result instanceof Promise ? result.then(finish) : finish(result)
    },
    close: entry.close,
  }
}

const isQuestion = (result: ToolResult): boolean =>
  result.kind === 'passed_on' && isInputRequiredResult(result.result)

const written = ({ id }: PlainCall, result: string): Response =>
  new Response(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`, { headers: jsonHeaders })

const jsonHeaders = { 'content-type': 'application/json' }

const clientCall = (
  { request, facts, caller }: GatewayRequest,
  { capabilities, meta }: PlainCall,
): ClientCall => ({
  caller,
  session: null,
  headers: request.headers,
  requestId: facts.requestId,
  /** Created on access, because few calls use it. */
  get signal() {
    return request.signal
  },
  onProgress: null,
  ask: null,
  inputResponses: null,
  pendingInput: null,
  clientCapabilities: capabilities,
  meta,
})

/** A `tools/call` of protocol 2026-07-28 or later that asks for its result only. */
export interface PlainCall {
  readonly id: string | number
  readonly run: RunNamedTool
  readonly given: Fields
  readonly capabilities: Fields
  readonly meta: Fields
}

const protocolVersion = '2026-07-28'
const method = 'tools/call'

/**
 * Reads a call that conforms to the protocol in every respect, as nearly all do. Returns null for anything else:
 * for a malformed call, one that wants progress, or one that continues another call. The SDK answers those,
 * because it knows every rule and explains what is wrong. It validates a message several times and makes a
 * server for each, which takes ten times as long.
 */
export function plainCallIn(
  headers: Headers,
  body: unknown,
  find: (name: string) => RunNamedTool | undefined,
): PlainCall | null {
  if (!isFields(body) || body.jsonrpc !== '2.0' || body.method !== method) return null
  const { id, params } = body
  if (!hasOnly(body, messageFields) || !isId(id) || !isFields(params) || !hasOnly(params, callFields))
    return null
  const { name, arguments: given = {}, _meta: meta } = params
  if (typeof name !== 'string' || !isFields(given) || !isFields(meta)) return null
  const saysTheSame =
    headers.get('mcp-protocol-version') === protocolVersion &&
    headers.get('mcp-method') === method &&
    headers.get('mcp-name') === name
  const run = find(name)
  const capabilities = meta[CLIENT_CAPABILITIES_META_KEY]
  if (!saysTheSame || run === undefined || !isPlainMeta(meta) || !areCapabilities(capabilities)) return null
  return { id, run, given, capabilities, meta }
}

const messageFields: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params'])
/** `inputResponses` and `requestState` are absent: they continue an earlier call. */
const callFields: ReadonlySet<string> = new Set(['name', 'arguments', '_meta'])

function hasOnly(fields: Fields, names: ReadonlySet<string>): boolean {
  for (const name in fields) if (!names.has(name)) return false
  return true
}

const isId = (id: unknown): id is string | number => typeof id === 'string' || Number.isSafeInteger(id)

function isPlainMeta(meta: Fields): boolean {
  if (meta[PROTOCOL_VERSION_META_KEY] !== protocolVersion) return false
  if ('progressToken' in meta || LOG_LEVEL_META_KEY in meta) return false
  const client = meta[CLIENT_INFO_META_KEY]
  return client === undefined || isPlainClient(client)
}

/** Returns true for client information that is valid; most clients send a name and a version only. */
const isPlainClient = (client: unknown): boolean =>
  isFields(client) &&
  typeof client.name === 'string' &&
  typeof client.version === 'string' &&
  (hasOnly(client, clientFields) || isSpecType.Implementation(client))

const clientFields: ReadonlySet<string> = new Set(['name', 'version'])

function areCapabilities(value: unknown): value is Fields {
  if (!isFields(value)) return false
  return hasOnly(value, nothing) || (!('tasks' in value) && isSpecType.ClientCapabilities(value))
}

const nothing: ReadonlySet<string> = new Set()
