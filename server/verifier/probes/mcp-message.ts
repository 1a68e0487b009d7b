import * as z from 'zod/mini'

import type { Target } from '../../../shared/verifier-protocol.ts'
import { accessOf } from './access.ts'
import { isNodeError, parseProbeAnswer, resultOf } from './answer.ts'
import { readEventStream } from './event-stream.ts'
import { failureOfStatus } from './http-status.ts'
import { type Call, numbered } from './json-rpc.ts'
import { type ProbeExchange, ProbeFailure } from './probe.ts'

export interface McpAnswer {
  result: unknown
  sessionId: string | null
}

const requestId = 1
const Message = z.object({ id: z.literal(requestId) })

/**
 * One request over Streamable HTTP, whose answer comes as JSON or as an event stream, as the server likes.
 * @throws ProbeFailure
 */
export async function postMessage(
  target: Target,
  call: Call,
  protocolHeaders: Record<string, string>,
  exchange: ProbeExchange,
): Promise<McpAnswer> {
  const { url, headers } = accessOf(target)
  const response = await exchange({
    url,
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...protocolHeaders,
      ...headers,
    },
    body: JSON.stringify(numbered(call, requestId)),
  })
  const failure = failureOfStatus(response.status)
  if (failure !== null) throw new ProbeFailure(failure)
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  const message = isStream ? answerInStream(response.text) : parseProbeAnswer(response.text)
  return { result: resultOf(message, target.family), sessionId: response.headers.get('mcp-session-id') }
}

/** Notifications may come before the answer, and a server may prime the stream with an empty event. */
function answerInStream(text: string): unknown {
  const messages = readEventStream(text)
    .filter((data) => data.trim() !== '')
    .map(parseProbeAnswer)
  const answer = messages.find((message) => Message.safeParse(message).success || isNodeError(message))
  if (answer === undefined) throw new ProbeFailure('NOT_JSON')
  return answer
}
