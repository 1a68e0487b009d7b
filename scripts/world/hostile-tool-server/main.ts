import { callAnswers } from './call-answers.ts'
import { connectAnswers } from './connect-answers.ts'
import { toolLists } from './tool-lists.ts'

interface Message {
  readonly id?: string | number
  readonly method: string
  readonly params?: { readonly name?: string; readonly cursor?: string; readonly protocolVersion?: string }
}

const json = (id: Message['id'], result: unknown): Response => Response.json({ jsonrpc: '2.0', id, result })

function initialized({ id, params }: Message, mode: string): Response {
  return json(id, {
    protocolVersion: mode === 'future' ? '2099-01-01' : (params?.protocolVersion ?? '2025-11-25'),
    capabilities: { tools: {} },
    serverInfo: { name: 'hostile', version: '6.6.6' },
  })
}

const discovered = ({ id }: Message): Response =>
  json(id, {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
    ttlMs: 0,
    cacheScope: 'private',
  })

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  idleTimeout: 0,
  async fetch(request) {
    const mode = new URL(request.url).pathname.slice(1)
    const atConnect = connectAnswers[mode]
    if (atConnect !== undefined) return atConnect()
    if (request.method !== 'POST') return new Response(null, { status: 405 })
    const message = (await request.json()) as Message
    if (message.id === undefined) return new Response(null, { status: 202 })
    if (message.method === 'initialize') return initialized(message, mode)
    if (message.method === 'server/discover' && mode === 'modern') return discovered(message)
    if (message.method === 'tools/list') {
      return json(message.id, (toolLists[mode] ?? toolLists.plain)?.(message.params?.cursor))
    }
    const answer = message.method === 'tools/call' ? callAnswers[message.params?.name ?? ''] : undefined
    if (answer !== undefined) return answer(message.id)
    return Response.json({ jsonrpc: '2.0', id: message.id, error: { code: -32_601, message: 'unknown' } })
  },
})

process.stdout.write(`${server.port}\n`)
