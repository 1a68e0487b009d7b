import type { ServerFor } from '../mcp-server.ts'
import { createAddressLimit } from '../../platform/http/address-limit.ts'
import { listeningAddress } from '../../platform/http/public-address.ts'
import { systemClock } from '../../platform/clock.ts'
import { createLog } from '../../platform/log.ts'
import { createAuthentication } from '../authentication.ts'
import { createGatewaySessions } from '../sessions/sessions.ts'
import { gatewaySettings } from '../settings.ts'
import { createGatewayRoutes } from '../transports/routes.ts'
import type { ToolSet } from '../tool-set.ts'
import { createKeepAlive } from '../transports/keep-alive.ts'
import { createModernEra } from '../transports/modern-era.ts'
import { createSessionEra } from '../transports/session-era.ts'
import { createSseEra } from '../transports/sse-era.ts'
import { createStandingStreams } from '../transports/standing-streams.ts'
import { createTestKeys, serveRoutes } from './gateway-under-test.ts'

/** The server behind the doors has none of the gateway's tools. */
const noTools: ToolSet = {
  options: {},
  list: () => ({ tools: [] }),
  find: () => undefined,
  lookUp: async () => undefined,
  outputSchemaOf: () => undefined,
  watch: () => () => undefined,
}
const toolsOf = () => noTools

/** Another server than the gateway's behind the gateway's own transports, sessions and guards. */
export function startServerBehindGateway(serverFor: ServerFor) {
  const log = createLog({ level: 'silent' })
  const settings = gatewaySettings
  const sessions = createGatewaySessions({ clock: systemClock, settings, onEnd: () => undefined })
  const wrongKeys = createAddressLimit(1_000, systemClock.monotonic)
  const standingStreams = createStandingStreams()
  const ofModern = { serverFor, toolsOf, write: () => '', standingStreams }
  const modern = createModernEra(ofModern, settings, () => undefined)
  const { routes } = createGatewayRoutes({
    authentication: createAuthentication(createTestKeys().keys, wrongKeys),
    eras: {
      modern,
      session: createSessionEra(serverFor, sessions, settings),
      sse: createSseEra(serverFor, sessions, settings),
    },
    sessions,
    standingStreams,
    keepAlive: createKeepAlive(settings, log),
    toolsOf,
    findVirtualServer: () => null,
    passThrough: async () => new Response(null, { status: 404 }),
    address: () => listeningAddress(listener, 'test'),
    settings,
    log,
  })
  const listener = serveRoutes(routes, log)
  return {
    url: `http://127.0.0.1:${listener.port}`,
    async stop() {
      sessions.stop()
      await modern.close()
      await listener.stop(100)
    },
  }
}
