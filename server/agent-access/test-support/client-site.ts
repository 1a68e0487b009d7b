import { createAuthority } from '../../../scripts/world/certificates.ts'
import type { Resolve } from '../../platform/egress.ts'

const authority = createAuthority()
const resolve: Resolve = async () => ['127.0.0.1']

/** A site of agents, `agent.example`, with the documents of clients. */
export function startClientSite() {
  /** What it answers, by path. */
  const documents = new Map<string, () => Response | Promise<Response>>()
  /** The paths that it was asked for. */
  const asked: string[] = []
  const site = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    tls: authority.issue(['DNS:agent.example']),
    fetch(request) {
      const { pathname } = new URL(request.url)
      asked.push(pathname)
      return documents.get(pathname)?.() ?? new Response(null, { status: 404 })
    },
  })
  const host = `agent.example:${site.port}`
  const at = (path: string): string => `https://${host}${path}`

  return {
    host,
    documents,
    asked,
    at,
    /** What a process needs to read its documents. */
    trusting: { ca: authority.ca, allowPrivate: ['127.0.0.0/8'], resolve },
    documentAt: (path: string, over: Record<string, unknown> = {}): object => ({
      client_id: at(path),
      client_name: 'An agent',
      redirect_uris: ['http://127.0.0.1/callback', 'https://agent.example/back'],
      ...over,
    }),
    /** Returns the address. */
    serve(path: string, content: object, headers: Record<string, string> = {}): string {
      documents.set(path, () => Response.json(content, { headers }))
      return at(path)
    },
    stop: () => site.stop(true),
  }
}
