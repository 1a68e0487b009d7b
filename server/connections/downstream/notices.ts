import type { Transport } from '@modelcontextprotocol/client'

/**
 * Follows the notifications that are sent over a transport. Returns what resolves once all that are on their way have arrived
 * or failed; null where none is.
 */
export function followNotices(transport: Transport): () => Promise<unknown> | null {
  const underWay = new Set<Promise<void>>()
  const send = transport.send.bind(transport)

  transport.send = (message, options) => {
    const sending = send(message, options)
    if ('id' in message) return sending
    const notice = sending.catch(() => undefined).finally(() => underWay.delete(notice)) // its sender knows of a failure
    underWay.add(notice)
    return sending
  }
  return () => (underWay.size === 0 ? null : Promise.all(underWay))
}
