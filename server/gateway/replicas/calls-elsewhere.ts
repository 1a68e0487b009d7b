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
import type { ClientCall } from '../client-call.ts'
import type { Outcome } from '../outcome.ts'
import { refusedByFault } from '../refused-by-fault.ts'
import type { RunTool } from '../run-tool.ts'
import type { GatewaySessions } from '../sessions/sessions.ts'
import type { StateSeal } from '../state-seal.ts'
import { sessionOfArguments } from '../transports/body.ts'
import type { Entrant } from '../transports/entrant.ts'
import type { Elsewhere } from './elsewhere.ts'

interface CallsElsewhereParts {
  readonly sessions: Pick<GatewaySessions, 'isHere'>
  readonly elsewhere: Pick<Elsewhere, 'reach'>
  readonly seal: StateSeal
}

const protocolVersion = '2026-07-28'

/**
 * A client of a former era has its session here, and may name another one that is in another process. Such a call is
 * made there as one of 2026, which needs no session of its transport. It tells no progress.
 */
export function createCallsElsewhere(
  run: RunTool,
  { sessions, elsewhere, seal }: CallsElsewhereParts,
): RunTool {
  async function runThere(
    handle: string,
    tool: string,
    given: Given,
    call: ClientCall,
  ): Promise<Outcome | null> {
    const body = bodyOf(tool, given, call, seal)
    const reached = await elsewhere.reach(entrantOf(tool, call), handle, body)
    return reached instanceof Response ? outcomeIn(await reached.json()) : null
  }

  return (tool, given, call) => {
    const handle = call.session === null ? null : sessionOfArguments(given)
    if (handle === null || sessions.isHere(call.principal.name, handle)) return run(tool, given, call)
    return runThere(handle, tool.definition.name, given, call).then(
      // Where there is no such session either, the tool says so.
      (outcome) => outcome ?? run(tool, given, call),
      (thrown: unknown) => {
        if (thrown instanceof Fault) return refusedByFault(thrown)
        throw thrown
      },
    )
  }
}

type Given = Readonly<Record<string, unknown>>

function entrantOf(tool: string, { principal, headers, requestId, signal }: ClientCall): Entrant {
  const said = new Headers(headers ?? {})
  said.delete('mcp-session-id')
  said.set('mcp-protocol-version', protocolVersion)
  said.set('mcp-method', 'tools/call')
  said.set('mcp-name', tool)
  said.set('accept', 'application/json, text/event-stream')
  said.set('content-type', 'application/json')
  const facts = {
    requestId: requestId ?? '',
    route: 'forwarded',
    caller: () => principal.from.caller(),
    allowSeconds: () => undefined,
    upgrade: () => false,
  }
  // The host is not looked at by processes that know each other.
  const request = new Request('http://gateway/mcp', { method: 'POST', headers: said, signal })
  return { request, facts, principal, isForwarded: false }
}

function bodyOf(name: string, given: Given, call: ClientCall, seal: StateSeal): object {
  const { meta, clientCapabilities, inputResponses, waiting } = call
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
    ...(waiting !== null && { requestState: seal.seal(waiting) }),
  }
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
}

const Answer = z.object({
  result: z.optional(z.record(z.string(), z.unknown())),
  error: z.optional(z.object({ code: z.number(), message: z.string() })),
})

function outcomeIn(answer: unknown): Outcome {
  const { result, error } = Answer.parse(answer)
  if (error !== undefined) throw new ProtocolError(error.code, error.message)
  if (isInputRequiredResult(result)) return { kind: 'passed_on', result }
  if (!isCallToolResult(result))
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'No result came back')
  return { kind: 'passed_on', result }
}
