import type { Target } from '../../../shared/verifier-protocol.ts'
import type { StreamingEgress } from '../../platform/egress.ts'
import { dialWebSocket } from '../../platform/http-client/web-socket-client.ts'
import { isOnSameHost } from '../../platform/same-host.ts'
import { accessOf } from '../probes/access.ts'
import type { DialSocket } from './head-stream.ts'

const connectMs = 5_000
/** A connection that is lost without a sign is noticed within twice this time. */
const heartbeatMs = 15_000
/** A header of a block has some 2,000 characters. */
const maxChars = 65_536

/** Returns how the WebSocket of a service is opened: where the guard allows it, with the headers of its probes. */
export const createDialFor =
  (resolve: StreamingEgress['resolve']) =>
  (target: Target): DialSocket => {
    const { ws: url = '', ca, endpoint } = target
    const isOwnHost = isOnSameHost(url, endpoint)
    const headers = isOwnHost ? accessOf(target).headers : {}
    const options = { url, headers, resolve, connectMs, heartbeatMs, maxChars }
    return (listener) => dialWebSocket({ ...options, ...(ca !== undefined && { ca }) }, listener)
  }
