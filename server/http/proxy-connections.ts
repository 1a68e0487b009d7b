import { type TrustedProxies, isTrustedPeer } from '../platform/http/caller.ts'
import type { EdgeAnswer, EdgeConnections } from './edge.ts'
import { receiveSeconds } from './listen.ts'

type Edge = (request: Request, connections: EdgeConnections) => EdgeAnswer

/**
 * How long a connection of a trusted proxy may be idle; Bun knows no longer time. Proxies keep connections for a minute
 * or more, and a request that is sent on one while it is closed is lost.
 */
const idleSeconds = 255

/** Leaves connections of trusted proxies open between requests. A request has no more time to arrive than elsewhere. */
export function keepProxyConnections(edge: Edge, trustedProxies: TrustedProxies): Edge {
  if (trustedProxies.length === 0) return edge
  return (request, connections) => {
    const peer = connections.requestIP(request)?.address ?? null
    if (!isTrustedPeer(peer, trustedProxies)) return edge(request, connections)
    let isEndless = false
    const timeout: EdgeConnections['timeout'] = (_, seconds) => {
      isEndless = seconds === 0
      connections.timeout(request, seconds)
    }
    const keep = (response: Response | undefined): Response | undefined => {
      if (response !== undefined && !isEndless) connections.timeout(request, idleSeconds)
      return response
    }
    timeout(request, receiveSeconds)
    const answer = edge(request, {
      timeout,
      requestIP: (asked) => connections.requestIP(asked),
      upgrade: (upgraded, options) => connections.upgrade(upgraded, options),
    })
    return answer instanceof Promise ? answer.then(keep) : keep(answer)
  }
}
