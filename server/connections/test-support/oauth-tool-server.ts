import { McpServer, createMcpHandler } from '@modelcontextprotocol/server'
import * as z from 'zod'

import { type OAuthPeer, startOAuthPeer } from '../../../tests/support/oauth-peer.ts'

/** A tool server whose accounts are at an authorization server of another maker. */
export interface OAuthToolServer {
  readonly url: string
  readonly peer: OAuthPeer
  /** The authorization headers of all requests to its tools, in order. */
  readonly shown: readonly string[]
  /** Wants this scope for each call of a tool from now on; null: none. */
  wantScope(scope: string | null): void
  /** Refuses this token from now on, although its authorization server knows it. */
  refuse(token: string): void
  stop(): Promise<void>
}

const scope = 'tools_use'

export async function startOAuthToolServer(): Promise<OAuthToolServer> {
  const shown: string[] = []
  const refused = new Set<string>()
  let wanted: string | null = null
  const modern = createMcpHandler(() => {
    const server = new McpServer({ name: 'behind oauth', version: '1.0.0' })
    server.registerTool('echo', { inputSchema: z.object({ message: z.string() }) }, ({ message }) => ({
      content: [{ type: 'text', text: message }],
    }))
    server.registerTool('quote', { inputSchema: z.object({}) }, () => ({
      content: [{ type: 'text', text: shown.at(-1) ?? '' }],
    }))
    return server
  })
  const authority: { peer?: OAuthPeer } = {}
  const metadata = '/.well-known/oauth-protected-resource/mcp'

  async function answer(request: Request): Promise<Response> {
    const { pathname, origin } = new URL(request.url)
    if (pathname === metadata) {
      return Response.json({
        resource: `${origin}/mcp`,
        authorization_servers: [authority.peer?.issuer],
        scopes_supported: [scope],
      })
    }
    if (pathname !== '/mcp') return new Response(null, { status: 404 })
    const header = request.headers.get('authorization') ?? ''
    const token = header.replace(/^Bearer /, '')
    if (header !== '') shown.push(header)
    if (refused.has(token) || (await authority.peer?.isToken(token)) !== true) {
      return challenged(401, `resource_metadata="${origin}${metadata}"`)
    }
    if (wanted !== null && (await request.clone().text()).includes('"tools/call"')) {
      return challenged(403, `error="insufficient_scope", scope="${wanted}"`)
    }
    return modern.fetch(request)
  }

  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, idleTimeout: 0, fetch: answer })
  const url = `http://127.0.0.1:${server.port}/mcp`
  const peer = await startOAuthPeer({ resource: url, scope })
  authority.peer = peer

  return {
    url,
    peer,
    shown,
    wantScope(wish) {
      wanted = wish
    },
    refuse: (token) => void refused.add(token),
    async stop() {
      await server.stop(true)
      await peer.stop()
    },
  }
}

const challenged = (status: number, words: string): Response =>
  new Response(null, { status, headers: { 'www-authenticate': `Bearer ${words}` } })
