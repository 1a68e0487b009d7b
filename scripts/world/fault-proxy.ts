import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'

import { alterAnswer, answerWithoutNode } from './altered-answer.ts'
import type { FaultMode } from './fault-mode.ts'
import { listenOnLoopback } from './listen-on-loopback.ts'

export interface FaultProxy {
  readonly url: string
  set(mode: FaultMode): void
  /** Requests so far, whatever became of them. */
  requests(): number
  stop(): Promise<void>
}

interface NodeAnswer {
  status: number
  contentType: string
  sessionId: string | null
  text: string
}

export interface FaultProxyOptions {
  target: string
  /** An address of the loopback; 127.0.0.1 unless given. */
  host?: string
  /** Is called at each request, before anything becomes of it. */
  onRequest?: () => void
}

/** A node's HTTP address with faults: listens on a free port of the loopback and passes requests on to `target`. */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const { target, host = '127.0.0.1', onRequest } = options
  const stuckAnswers = new Map<string, unknown>()
  let fault: FaultMode = { mode: 'pass' }
  let requests = 0

  const server = createServer((request, response) => {
    requests += 1
    onRequest?.()
    answer(request, response, target, faultOf(fault, requests), stuckAnswers).catch(() =>
      request.socket.destroy(),
    )
  })
  const port = await listenOnLoopback(server, 0, host)

  return {
    url: `http://${host}:${port}`,
    set(next) {
      fault = next
      stuckAnswers.clear()
    },
    requests: () => requests,
    stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      return closed
    },
  }
}

/** Returns what becomes of the request of this number. */
function faultOf(fault: FaultMode, request: number): FaultMode {
  if (fault.mode === 'rate') return request % fault.every === 0 ? fault : { mode: 'status', status: 429 }
  if (fault.mode === 'sometimes') return Math.random() < fault.share ? fault.fault : { mode: 'pass' }
  return fault
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
  fault: FaultMode,
  stuckAnswers: Map<string, unknown>,
): Promise<void> {
  const body = await readBody(request)
  switch (fault.mode) {
    case 'freeze':
      return
    case 'hang':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write('{')
      return
    case 'reset':
      request.socket.destroy()
      return
    case 'status':
      response.writeHead(fault.status, retryAfter(fault.retryAfterSec))
      response.end(fault.body ?? 'the node says no')
      return
    case 'garbage':
      send(response, { contentType: 'text/html', text: '<html><h1>502 Bad Gateway</h1></html>' })
      return
    case 'empty':
      send(response, { text: '' })
      return
    case 'huge':
      send(response, { text: `"${'x'.repeat(fault.bytes - 2)}"` })
      return
    case 'slow':
      await Bun.sleep(fault.delayMs)
      break
    default:
  }

  const own = answerWithoutNode(body, fault)
  if (own !== null) {
    send(response, { text: own })
    return
  }
  const real = await forward(request, body, target)
  send(response, { ...real, text: alterAnswer(body, real.text, fault, stuckAnswers) })
}

const retryAfter = (seconds: number | undefined): Record<string, string> =>
  seconds === undefined ? {} : { 'retry-after': String(seconds) }

function send(response: ServerResponse, { text, ...rest }: Partial<NodeAnswer> & { text: string }): void {
  response.writeHead(rest.status ?? 200, {
    'content-type': rest.contentType ?? 'application/json',
    ...(rest.sessionId ? { 'mcp-session-id': rest.sessionId } : {}),
  })
  response.end(text)
}

const passedOn = [
  'accept',
  'authorization',
  'content-type',
  'mcp-method',
  'mcp-protocol-version',
  'mcp-session-id',
]

async function forward(request: IncomingMessage, body: string, target: string): Promise<NodeAnswer> {
  const headers = new Headers()
  for (const name of passedOn) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  const answered = await fetch(addressAt(target, request.url ?? '/'), {
    method: request.method ?? 'GET',
    headers,
    ...(body === '' ? {} : { body }),
  })
  return {
    status: answered.status,
    contentType: answered.headers.get('content-type') ?? 'application/json',
    sessionId: answered.headers.get('mcp-session-id'),
    text: await answered.text(),
  }
}

const addressAt = (target: string, path: string): string => `${target.replace(/\/+$/, '')}${path}`

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}
