import {
  CLIENT_CAPABILITIES_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  isCallToolResult,
  isInputRequiredResult,
} from '@modelcontextprotocol/server'
import * as z from 'zod/mini'

import { Fault } from '../../platform/fault.ts'
import type { ClientCall } from '../tools/tool.ts'
import type { ToolResult } from '../tool-result.ts'
import type { RunNamedTool } from '../tool-set.ts'
import { faultToolRefusal } from '../operations/failure-refusals.ts'
import { type GatewaySessions, isElsewhere } from '../sessions/sessions.ts'
import type { StateSeal } from '../state-seal.ts'
import { sessionOfArguments } from '../tools/session-of-call.ts'
import { streamablePathOf } from '../transports/virtual-server-address.ts'
import { inPlainWords } from '../virtual-servers/plain-result.ts'
import { type GatewayRequest, virtualServerOf } from '../authentication.ts'
import type { SessionRouter } from './session-router.ts'

interface RouteToolCallOptions {
  readonly sessions: Pick<GatewaySessions, 'isHere' | 'read'>
  readonly sessionRouter: Pick<SessionRouter, 'route'>
  readonly seal: StateSeal
}

const protocolVersion = '2026-07-28'

/** Runs a call of a tool, which `run` runs here, under the name and with the arguments by which its client called it. */
export type RouteToolCall = (
  run: RunNamedTool,
  name: string,
  given: Given,
  call: ClientCall,
) => ToolResult | Promise<ToolResult>

/**
 * Runs a tool call in the process that owns the session which its arguments name. A client of an older protocol
 * may name another session than that of its transport; such a call is forwarded as a 2026-07-28 call, which
 * needs no transport session. It reports no progress.
 */
export function createRouteToolCall({ sessions, sessionRouter, seal }: RouteToolCallOptions): RouteToolCall {
  async function runRemotely(
    handle: string,
    name: string,
    given: Given,
    call: ClientCall,
  ): Promise<ToolResult | null> {
    const body = bodyOf(name, given, call, seal)
    const routed = await sessionRouter.route(entrantOf(name, call), handle, body)
    return routed instanceof Response ? outcomeIn(await routed.json()) : null
  }

  return (run, name, given, call) => {
    const handle = call.session === null ? null : sessionOfArguments(given)
    if (handle === null || !isElsewhere(sessions, call.caller, handle)) return run(given, call)
    return runRemotely(handle, name, given, call).then(
      // Where there is no such session either, the tool says so.
      (outcome) => outcome ?? run(given, call),
      (thrown: unknown) => {
        if (!(thrown instanceof Fault)) throw thrown
        const refused = faultToolRefusal(thrown)
        return virtualServerOf(call.caller) === undefined ? refused : inPlainWords(refused)
      },
    )
  }
}

type Given = Readonly<Record<string, unknown>>

function entrantOf(tool: string, { caller, headers, requestId, signal }: ClientCall): GatewayRequest {
  const said = new Headers(headers ?? {})
  said.delete('mcp-session-id')
  said.set('mcp-protocol-version', protocolVersion)
  said.set('mcp-method', 'tools/call')
  said.set('mcp-name', tool)
  // The answer is read whole, so that nothing may stand before it.
  said.set('accept', 'application/json')
  said.set('content-type', 'application/json')
  const facts = {
    requestId: requestId ?? '',
    route: 'forwarded',
    caller: () => caller.from.caller(),
    allowSeconds: () => undefined,
    upgrade: () => false,
  }
  // The host is not looked at by processes that know each other.
  const request = new Request(`http://gateway${streamablePathOf(caller)}`, {
    method: 'POST',
    headers: said,
    signal,
  })
  return { request, facts, caller, isForwarded: false }
}

function bodyOf(name: string, given: Given, call: ClientCall, seal: StateSeal): object {
  const { meta, clientCapabilities, inputResponses, pendingInput } = call
  const { progressToken: _, ...kept } = meta ?? {}
  const params = {
    name,
    arguments: given,
    _meta: {
      ...kept,
      [PROTOCOL_VERSION_META_KEY]: protocolVersion,
      [CLIENT_CAPABILITIES_META_KEY]: clientCapabilities ?? {},
    },
    ...(inputResponses !== null && { inputResponses }),
    ...(pendingInput !== null && { requestState: seal.seal(pendingInput) }),
  }
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
}

const Answer = z.object({
  result: z.optional(z.record(z.string(), z.unknown())),
  error: z.optional(z.object({ code: z.number(), message: z.string(), data: z.optional(z.unknown()) })),
})

function outcomeIn(answer: unknown): ToolResult {
  const { result, error } = Answer.parse(answer)
  if (error !== undefined) throw new ProtocolError(error.code, error.message, error.data)
  if (isInputRequiredResult(result)) return { kind: 'passed_on', result }
  if (!isCallToolResult(result))
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'No result came back')
  return { kind: 'passed_on', result }
}
