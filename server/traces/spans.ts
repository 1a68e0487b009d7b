import { createHash } from 'node:crypto'

import type { RequestAttempt, RequestEntry } from '../../shared/request-log.ts'
import { type ToolCallEntry, toolCallOutcomes } from '../../shared/tool-calls.ts'
import { requestClasses } from '../../shared/request-log.ts'
import { randomHex } from '../platform/ids.ts'

/** What a span says of itself, by the names of OpenTelemetry where it has one. */
type Attributes = Readonly<Record<string, string | number | null>>

/** One stretch of work. Instants are epoch ms; ids are hexadecimal. */
export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | null
  readonly name: string
  /** `server`: asked of this process; `client`: asked by it. */
  readonly kind: 'server' | 'client'
  readonly from: number
  readonly to: number
  readonly attributes: Attributes
  readonly isError: boolean
}

const spanId = (): string => randomHex(8)

interface Origin {
  readonly traceId: string
  readonly parentSpanId: string | null
}

/**
 * Returns the trace that a request belongs to: that of the proxy before us, whose id and span stand in the request id, else
 * one that follows from the id.
 */
function originOf(requestId: string | null): Origin {
  const [, traceId, parentSpanId] = /^([0-9a-f]{32})-([0-9a-f]{16})$/.exec(requestId ?? '') ?? []
  if (traceId !== undefined && parentSpanId !== undefined) return { traceId, parentSpanId }
  const plain = (requestId ?? randomHex(16)).replaceAll('-', '').toLowerCase()
  const isId = /^[0-9a-f]{32}$/.test(plain) && !/^0+$/.test(plain)
  return {
    traceId: isId ? plain : createHash('sha256').update(plain).digest('hex').slice(0, 32),
    parentSpanId: null,
  }
}

/** Returns the span of a request to the relay, and one for each attempt at an upstream. */
export function spansOfRequest(request: RequestEntry): Span[] {
  const origin = originOf(request.requestId)
  const from = request.at - request.ms
  const whole: Span = {
    ...origin,
    spanId: spanId(),
    name: request.method ?? 'request',
    kind: 'server',
    from,
    to: request.at,
    attributes: {
      'rpc.system.name': 'jsonrpc',
      'rpc.method': request.method,
      'http.response.status_code': request.status,
      'http.request.body.size': request.bytesIn,
      'http.response.body.size': request.bytesOut,
      'gatehouse.request_id': request.requestId,
      'gatehouse.endpoint': request.endpoint,
      'gatehouse.key_id': request.keyId,
      'gatehouse.class': request.class,
      'gatehouse.calls': request.calls,
      'gatehouse.credits': request.credits,
      'gatehouse.stands_for': request.weight,
    },
    isError: requestClasses[request.class] === 'failed',
  }
  return [whole, ...request.attempts.map((attempt) => spanOfAttempt(attempt, whole))]
}

function spanOfAttempt({ upstream, class: name, ms, from = 0, isShared }: RequestAttempt, whole: Span): Span {
  const begin = whole.from + from
  return {
    traceId: whole.traceId,
    spanId: spanId(),
    parentSpanId: whole.spanId,
    name: upstream,
    kind: 'client',
    from: begin,
    to: begin + ms,
    attributes: {
      'gatehouse.upstream': upstream,
      'gatehouse.attempt_class': name,
      ...(isShared === true && { 'gatehouse.shared': 'true' }),
    },
    isError: name !== 'answer',
  }
}

/** Returns the span of a tool call, by which another server was asked. */
export const spanOfToolCall = (call: Omit<ToolCallEntry, 'hasContent'>): Span => ({
  traceId: randomHex(16),
  spanId: spanId(),
  parentSpanId: null,
  name: `tools/call ${call.tool}`,
  kind: 'client',
  from: call.at - call.ms,
  to: call.at,
  attributes: {
    'mcp.method.name': 'tools/call',
    'gen_ai.tool.name': call.tool,
    'gatehouse.tool_server': call.server,
    'gatehouse.connection_id': call.connectionId,
    'gatehouse.key_id': call.keyId,
    'gatehouse.door': call.door,
    'gatehouse.outcome': call.outcome,
    'gatehouse.credits': call.credits,
    'gatehouse.stands_for': call.weight,
  },
  isError: toolCallOutcomes[call.outcome] !== 'answered',
})
