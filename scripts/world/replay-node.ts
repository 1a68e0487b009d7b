import * as z from 'zod/mini'

/**
 * Recorded answers of a node. Keys are JSON-RPC methods (values: the `result`, or `{error: {code, message}}`), paths
 * beginning with `/` (values: the body of a GET), or `graphql` (value: the body).
 */
export type Recording = Record<string, unknown>

export interface ReplayNode {
  readonly url: string
  /** Replaces answers; those that are not named stay. */
  set(answers: Recording): void
  /** Every request so far. */
  readonly requests: { method: string; path: string; headers: Headers; body: unknown }[]
  stop(): Promise<void>
}

export interface ReplayOptions {
  /** False: batches are refused with one error object, as some providers do. */
  takesBatches?: boolean
  /** False: `requests` stays empty, for nodes that are asked for an hour. */
  remembersRequests?: boolean
}

const Call = z.object({ id: z.optional(z.unknown()), method: z.string() })
const NodeError = z.object({ error: z.object({ code: z.number() }) })

/**
 * A node that answers over HTTP what another one once answered; for families without a node to install. A recording that
 * depends on the time is asked for at each request.
 */
export function startReplayNode(
  recording: Recording | (() => Recording),
  { takesBatches = true, remembersRequests = true }: ReplayOptions = {},
): ReplayNode {
  const changes: Recording = {}
  const recorded = typeof recording === 'function' ? recording : () => recording
  const requests: ReplayNode['requests'] = []

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const path = new URL(request.url).pathname
      const text = await request.text()
      const body: unknown = text === '' ? null : JSON.parse(text)
      const answers: Recording = { ...recorded(), ...changes }
      if (remembersRequests) requests.push({ method: request.method, path, headers: request.headers, body })
      if (path in answers) return reply(answers[path])
      if (body === null) return new Response('not found', { status: 404 })
      if (typeof body === 'object' && 'query' in body) return reply(answers.graphql)
      if (Array.isArray(body)) {
        if (!takesBatches)
          return Response.json(envelope(null, { error: { code: -32600, message: 'no batches' } }))
        return Response.json(body.map(callOf).map(({ id, method }) => envelope(id, answers[method])))
      }
      const { id, method } = callOf(body)
      return Response.json(envelope(id, answers[method]))
    },
  })

  return {
    url: `http://127.0.0.1:${server.port}`,
    set: (changed) => void Object.assign(changes, changed),
    requests,
    stop: () => server.stop(true),
  }
}

const callOf = (body: unknown) => Call.parse(body)

const reply = (body: unknown): Response =>
  typeof body === 'string' ? new Response(body) : Response.json(body)

function envelope(id: unknown, answer: unknown) {
  if (answer === undefined)
    return { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }
  return NodeError.safeParse(answer).success
    ? { jsonrpc: '2.0', id, ...Object(answer) }
    : { jsonrpc: '2.0', id, result: answer }
}
