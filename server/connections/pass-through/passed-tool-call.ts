import { fieldsOf } from '../../../shared/fields.ts'
import { parseJson } from '../../platform/json.ts'
import { createEventParser } from '../downstream/read-events.ts'
import type { Route } from '../route.ts'
import type { Scope } from '../scope.ts'
import {
  type BeginToolCall,
  type BegunToolCall,
  type FinishedToolCall,
  type ToolCallClass,
  toolCallOf,
} from '../tool-call.ts'
import type { CheckAccepted } from '../tools/accepted-only.ts'
import type { IsReadOnlyTool } from '../tools/read-only-tools.ts'
import { callFailureResponse, deniedResponse, jsonRpcErrorResponse } from './responses.ts'
import { ambiguityOf } from './unambiguous.ts'

/** A message to a tool server, and the body that holds it. */
interface PassedMessage {
  readonly scope: Scope
  readonly route: Route
  readonly message: unknown
  readonly request: {
    readonly body: Uint8Array | null
    readonly headers: Headers
    readonly signal: AbortSignal
  }
}

interface CallChecks {
  readonly begin: BeginToolCall
  readonly isReadOnlyTool: IsReadOnlyTool
  readonly checkAccepted: CheckAccepted
}

/** Returns the call that a message makes, null where it makes none, or the answer to a call that is not admitted. */
export async function beginPassedCall(
  { begin, isReadOnlyTool, checkAccepted }: CallChecks,
  { scope, route, message, request: { body, headers, signal } }: PassedMessage,
): Promise<CallAnswerReader | Response | null> {
  const ambiguity = body === null ? null : ambiguityOf(message, body, headers)
  if (ambiguity !== null) return jsonRpcErrorResponse(400, invalidRequest, ambiguity)
  const asked = toolRequestIn(message)
  if (asked === null) return null
  const denied = route.use.onChange === 'block' ? await checkAccepted(route, asked.name, signal) : null
  if (denied !== null && 'outcome' in denied) return callFailureResponse(denied)
  const isReadOnly = () => isReadOnlyTool(route, asked.name, signal)
  const begun = await begin(toolCallOf(scope, route, 'pass_through', { ...asked, isReadOnly }), denied)
  if (!('end' in begun)) return deniedResponse(asked.id, begun)
  begun.traffic.sent = body?.byteLength ?? 0
  return createCallAnswerReader(begun, asked)
}

/** A `tools/call` in the body of a request. */
interface NamedToolRequest {
  readonly id: unknown
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** Returns the call in a message; null for any other message. */
export function toolRequestIn(message: unknown): NamedToolRequest | null {
  const { method, id, params } = fieldsOf(message)
  if (method !== 'tools/call') return null
  const { name, arguments: args } = fieldsOf(params)
  return { id, name: typeof name === 'string' ? name : '', arguments: fieldsOf(args) }
}

/** Reads what becomes of a call out of the bytes that are passed on. */
export interface CallAnswerReader {
  /** Takes the next piece of an event stream. */
  piece(bytes: Uint8Array<ArrayBuffer>): void
  /** Takes a whole body. */
  body(bytes: Uint8Array<ArrayBuffer>): void
  /** Says that nothing more will come. */
  end(unless: ToolCallClass): void
}

function createCallAnswerReader(begun: BegunToolCall, { id }: NamedToolRequest): CallAnswerReader {
  const { traffic } = begun
  const parse = createEventParser()

  function read(text: string): void {
    const message = fieldsOf(parseJson(text)) // what is no JSON is passed on all the same, and ends as unanswered
    if ('error' in message && (message.id === id || message.id === null)) begun.end('refused')
    if ('result' in message && message.id === id) begun.end(...outcomeOf(fieldsOf(message.result)))
  }

  return {
    piece(bytes) {
      traffic.received += bytes.byteLength
      parse(bytes).forEach(read)
    },
    body(bytes) {
      traffic.received += bytes.byteLength
      read(decoder.decode(bytes))
    },
    end: (unless) => begun.end(unless),
  }
}

const invalidRequest = -32_600

const decoder = new TextDecoder()

function outcomeOf(result: FinishedToolCall['result']): [ToolCallClass, FinishedToolCall['result']] {
  if (result?.resultType === 'input_required') return ['input_required', result]
  return [result?.isError === true ? 'tool_error' : 'ok', result]
}
