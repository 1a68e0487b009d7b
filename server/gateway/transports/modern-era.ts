import { createMcpHandler } from '@modelcontextprotocol/server'

import type { GatewaySettings } from '../settings.ts'
import type { ServerFor } from '../mcp-server.ts'
import type { Principal } from '../principal.ts'
import type { Entrant } from './entrant.ts'

/** Streams of `subscriptions/listen`. */
const maxSubscriptions = 1_024

export interface ModernEra {
  answer(entrant: Entrant, body: unknown): Promise<Response>
  close(): Promise<void>
}

/** The era from 2026-07-28 on: each request stands alone, and gets a server of its own. */
export function createModernEra(
  serverFor: ServerFor,
  { keepAliveMs, bodyBytes }: GatewaySettings,
  onerror: (error: Error) => void,
): ModernEra {
  const principals = new WeakMap<Request, Principal>()
  const entry = createMcpHandler(
    ({ requestInfo }) => {
      const principal = requestInfo && principals.get(requestInfo)
      if (principal === undefined) throw new TypeError('a request came in beside the door')
      return serverFor({ principal, session: null })
    },
    { legacy: 'reject', keepAliveMs, maxRequestBodySize: bodyBytes, maxSubscriptions, onerror },
  )
  return {
    answer({ request, principal }, body) {
      principals.set(request, principal)
      return entry.fetch(request, { parsedBody: body })
    },
    close: entry.close,
  }
}
