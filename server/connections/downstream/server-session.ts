import { dropped } from './bodies.ts'
import type { SentHeaders } from './credential.ts'
import type { RequestSender } from './sender.ts'

/** The time in which a tool server should have taken notice that its session is over. */
const endMs = 2_000

/** The session that a tool server keeps for one connection, known by the headers of the requests in it. */
export function createServerSession(sender: Pick<RequestSender, 'sendAsBefore'>, url: string) {
  let session: SentHeaders | null = null

  return {
    sent(headers: SentHeaders): void {
      session ??= sessionNamedBy(headers)
    },
    /** The tool server has it no more. */
    lost(): void {
      session = null
    },
    /** Tells the tool server that it is over. Nobody waits for the answer. */
    end(): void {
      if (session === null) return
      sender
        .sendAsBefore({
          url,
          method: 'DELETE',
          headers: session,
          body: null,
          signal: AbortSignal.timeout(endMs),
        })
        .then(({ body }) => dropped(body?.cancel()))
        .catch(() => undefined) // many servers take no DELETE, or are gone: they end it by themselves
      session = null
    },
  }
}

function sessionNamedBy({
  'mcp-session-id': id,
  'mcp-protocol-version': version,
}: SentHeaders): SentHeaders | null {
  if (id === undefined) return null
  return { 'mcp-session-id': id, ...(version !== undefined && { 'mcp-protocol-version': version }) }
}
