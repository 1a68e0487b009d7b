import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  isInputRequiredResult,
  type Implementation,
  type Progress,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'

import * as z from 'zod/mini'

import type { ToolSet, ToolsOf } from './tool-set.ts'
import type { ClientCall } from './tools/tool.ts'
import { SentenceServer } from './malformed-params.ts'
import { type ToolResult, callToolResultOf } from './tool-result.ts'
import type { GatewayCaller } from './authentication.ts'
import type { GatewaySession } from './sessions/session.ts'
import type { RouteToolCall } from './session-routing/route-tool-call.ts'
import type { StateSeal, PendingInput } from './state-seal.ts'

/** The client that one MCP server instance talks to. */
export interface McpClient {
  readonly caller: GatewayCaller
  readonly session: GatewaySession | null
  /** The result of its only call, where the call has already run. */
  readonly result?: ToolResult
}

export type ServerFor = (client: McpClient) => Server

interface McpServerOptions {
  readonly identity: Implementation
  readonly seal: StateSeal
  readonly toolsOf: ToolsOf
  /** A call in the session of its transport may name another session. */
  readonly routeCall: RouteToolCall
  /** Returns the id under which the HTTP layer knows a request. */
  readonly requestIdOf: (request: Request) => string | null
}

/**
 * Makes an MCP server for one client: for one request from protocol 2026-07-28 on, for one session before. An
 * instance is never shared, so that no answer can reach another client (CVE-2026-25536).
 */
export function createServerFor({
  identity,
  seal,
  toolsOf,
  routeCall,
  requestIdOf,
}: McpServerOptions): ServerFor {
  return (client) => {
    const tools = toolsOf(client.caller)
    const server = new SentenceServer(identity, {
      ...tools.options,
      requestState: { verify: async (state) => seal.open(state) },
    })
    server.setRequestHandler('tools/list', () => tools.list())
    server.setRequestHandler('tools/call', async ({ params }, context) => {
      if (client.result !== undefined) return callToolResultOf(client.result)
      const { name, arguments: given = {} } = params
      const run = tools.find(name) ?? (await tools.lookUp(name))
      if (run === undefined) throw await unknownTool(tools)
      const call = clientCall(client, context, server, requestIdOf)
      const result = callToolResultOf(await routeCall(run, name, given, call))
      if (client.session === null || isInputRequiredResult(result)) return result
      return server.projectCallToolResult(withoutNull(result), tools.outputSchemaOf(name))
    })
    // Whoever has a session is told; from protocol 2026-07-28 on clients ask for it by themselves.
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a server has no listeners
    if (client.session !== null) server.onclose = tools.watch(() => tellToolsChanged(server))
    return server
  }
}

/** Before protocol 2026-07-28 structured content is an object, and null is written for none. */
const withoutNull = ({ structuredContent, ...rest }: CallToolResult): CallToolResult =>
  structuredContent === undefined || structuredContent === null ? rest : { ...rest, structuredContent }

/** A client that is gone, or listens to nothing, need not know. */
const tellToolsChanged = (server: Server): void => void server.sendToolListChanged().catch(() => undefined)

const maxNamed = 20

async function unknownTool(set: ToolSet): Promise<ProtocolError> {
  const { tools } = await set.list()
  const names = tools.slice(0, maxNamed).map(({ name }) => name)
  const more = tools.length > maxNamed ? `, and ${tools.length - maxNamed} more` : ''
  const message = `Unknown tool: expected one of ${names.join(', ')}${more}`
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}

function clientCall(
  { caller, session }: McpClient,
  { mcpReq, http }: ServerContext,
  server: Server,
  requestIdOf: McpServerOptions['requestIdOf'],
): ClientCall {
  const { _meta: meta, inputResponses } = mcpReq
  const token = meta?.progressToken
  const request = http?.req
  return {
    caller,
    session,
    headers: request?.headers ?? null,
    requestId: request === undefined ? null : requestIdOf(request),
    signal: mcpReq.signal,
    onProgress: token === undefined ? null : (progress) => tellProgress(mcpReq.notify, token, progress),
    inputResponses: inputResponses ?? null,
    pendingInput: mcpReq.requestState<PendingInput>() ?? null,
    clientCapabilities: server.getClientCapabilities() ?? null,
    meta: meta ?? null,
    ask:
      session === null ? null : (question) => mcpReq.send(question, anyResult, { timeout: answerWithinMs }),
  }
}

/** People have as long to answer as a call may take. */
const answerWithinMs = 600_000

/** An answer is for the tool server to judge. */
const anyResult = z.record(z.string(), z.unknown())

function tellProgress(
  notify: ServerContext['mcpReq']['notify'],
  progressToken: string | number,
  progress: Omit<Progress, '_meta'>,
): void {
  const sent = notify({ method: 'notifications/progress', params: { ...progress, progressToken } })
  // Whoever is gone does not want to know; the call itself ends by its signal.
  sent.catch(() => undefined)
}
