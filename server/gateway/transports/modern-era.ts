import { createMcpHandler, isInputRequiredResult } from '@modelcontextprotocol/server'

import type { ClientCall } from '../client-call.ts'
import type { Client, ServerFor } from '../mcp-server.ts'
import type { Outcome } from '../outcome.ts'
import type { RunTool } from '../run-tool.ts'
import type { GatewaySettings } from '../settings.ts'
import type { WriteResult } from '../written-result.ts'
import type { Entrant } from './entrant.ts'
import type { PlainCall } from './plain-call.ts'

/** Streams of `subscriptions/listen`. */
const maxSubscriptions = 1_024

export interface ModernEra {
  answer(entrant: Entrant, body: unknown): Promise<Response>
  /** The same for a call that was read already. `body`: all of it. */
  answerPlain(entrant: Entrant, call: PlainCall, body: unknown): Response | Promise<Response>
  close(): Promise<void>
}

interface ModernEraParts {
  readonly serverFor: ServerFor
  readonly run: RunTool
  readonly write: WriteResult
}

/** The era from 2026-07-28 on: each request stands alone, and gets a server of its own where it needs one. */
export function createModernEra(
  { serverFor, run, write }: ModernEraParts,
  { keepAliveMs, bodyBytes }: GatewaySettings,
  onerror: (error: Error) => void,
): ModernEra {
  const clients = new WeakMap<Request, Client>()
  const entry = createMcpHandler(
    ({ requestInfo }) => {
      const client = requestInfo && clients.get(requestInfo)
      if (client === undefined) throw new TypeError('a request came in beside the door')
      return serverFor(client)
    },
    { legacy: 'reject', keepAliveMs, maxRequestBodySize: bodyBytes, maxSubscriptions, onerror },
  )

  function answer(request: Request, client: Client, body: unknown): Promise<Response> {
    clients.set(request, client)
    return entry.fetch(request, { parsedBody: body })
  }

  return {
    answer: ({ request, principal }, body) => answer(request, { principal, session: null }, body),
    answerPlain(entrant, call, body) {
      const { request, principal } = entrant
      const finish = (outcome: Outcome): Response | Promise<Response> =>
        // What it asks for must be something that the client can be asked for: the SDK sees to that.
        isQuestion(outcome)
          ? answer(request, { principal, session: null, outcome }, body)
          : written(call, write(outcome))
      const outcome = run(call.tool, call.given, clientCall(entrant, call))
      return outcome instanceof Promise ? outcome.then(finish) : finish(outcome)
    },
    close: entry.close,
  }
}

const isQuestion = (outcome: Outcome): boolean =>
  outcome.kind === 'passed_on' && isInputRequiredResult(outcome.result)

const written = ({ id }: PlainCall, result: string): Response =>
  new Response(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`, { headers: jsonHeaders })

const jsonHeaders = { 'content-type': 'application/json' }

const clientCall = (
  { request, facts, principal }: Entrant,
  { capabilities, meta }: PlainCall,
): ClientCall => ({
  principal,
  session: null,
  headers: request.headers,
  requestId: facts.requestId,
  /** Made when somebody asks: few calls reach out. */
  get signal() {
    return request.signal
  },
  onProgress: null,
  inputResponses: null,
  waiting: null,
  clientCapabilities: capabilities,
  meta,
})
