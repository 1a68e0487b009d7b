import { createMcpHandler, isInputRequiredResult } from '@modelcontextprotocol/server'

import type { ClientCall } from '../tools/tool.ts'
import type { McpClient, ServerFor } from '../mcp-server.ts'
import type { ToolResult, WriteResult } from '../tool-result.ts'
import type { RunTool } from '../run-tool.ts'
import type { GatewaySettings } from '../settings.ts'
import type { GatewayRequest } from '../authentication.ts'
import type { PlainCall } from './plain-call.ts'

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
  readonly run: RunTool
  readonly write: WriteResult
}

/**
 * Serves protocol 2026-07-28 and later: each request stands alone and gets an MCP server of its own where it
 * needs one.
 */
export function createModernEra(
  { serverFor, run, write }: ModernEraParts,
  { keepAliveMs, bodyBytes }: GatewaySettings,
  onerror: (error: Error) => void,
): ModernEra {
  const clients = new WeakMap<Request, McpClient>()
  const entry = createMcpHandler(
    ({ requestInfo }) => {
      const client = requestInfo && clients.get(requestInfo)
      if (client === undefined) throw new TypeError('a request came in beside the door')
      return serverFor(client)
    },
    { legacy: 'reject', keepAliveMs, maxRequestBodySize: bodyBytes, maxSubscriptions, onerror },
  )

  function answer(request: Request, client: McpClient, body: unknown): Promise<Response> {
    clients.set(request, client)
    return entry.fetch(request, { parsedBody: body })
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
      const result = run(call.tool, call.given, clientCall(incoming, call))
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
  inputResponses: null,
  pendingInput: null,
  clientCapabilities: capabilities,
  meta,
})
