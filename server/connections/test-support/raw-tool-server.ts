/** What a call is answered: a result, or a whole response. */
type RawAnswer = object | Response

export interface RawToolServerOptions {
  readonly era: 'modern' | 'legacy'
  /** The definitions as they go over the wire, whatever is wrong with them. */
  readonly tools: readonly object[]
  readonly call: (name: string, id: unknown) => RawAnswer
}

/** A tool server that is written by hand: what it says is what its test says, whether it is MCP or not. */
export interface RawToolServer {
  readonly url: string
  /** The methods that it was asked for, in order. */
  readonly methods: string[]
  /** All requests, in order; without a message where they are no POST. */
  readonly requests: { readonly httpMethod: string; readonly message: unknown }[]
  stop(): Promise<void>
}

const identity = { capabilities: { tools: {} }, serverInfo: { name: 'raw', version: '1.0.0' } }

export function startRawToolServer({ era, tools, call }: RawToolServerOptions): RawToolServer {
  const methods: string[] = []
  const requests: RawToolServer['requests'] = []
  const isModern = era === 'modern'
  const beginning = isModern ? 'server/discover' : 'initialize'
  const begun = isModern
    ? { ...identity, supportedVersions: ['2026-07-28'], ttlMs: 1_000, cacheScope: 'private' }
    : { ...identity, protocolVersion: '2025-06-18' }

  function answerTo({ id, method, params }: { id: unknown; method: string; params: { name: string } }) {
    if (method === 'tools/call') return call(params.name, id)
    if (method === 'tools/list') return { tools, ...(isModern && { ttlMs: 1_000, cacheScope: 'private' }) }
    return method === beginning ? begun : null
  }

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { method: httpMethod } = request
      const message = httpMethod === 'POST' ? await request.json() : null
      requests.push({ httpMethod, message })
      if (message === null) return new Response(null, { status: 405 })
      methods.push(message.method)
      if (message.id === undefined) return new Response(null, { status: 202 })
      const answer = answerTo(message)
      if (answer instanceof Response) return answer
      const { id } = message
      if (answer === null) {
        return Response.json({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } })
      }
      const result = isModern ? { resultType: 'complete', ...answer } : answer
      const session = { 'mcp-session-id': crypto.randomUUID() }
      return Response.json(
        { jsonrpc: '2.0', id, result },
        { headers: message.method === 'initialize' ? session : {} },
      )
    },
  })
  return { url: `http://127.0.0.1:${server.port}/mcp`, methods, requests, stop: () => server.stop(true) }
}
