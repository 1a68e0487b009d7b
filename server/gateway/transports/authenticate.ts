import { barePathOf } from '../../platform/http/direct-routes.ts'
import type { PublicAddress } from '../../platform/http/public-address.ts'
import { challengeFor } from '../../platform/http/token-doors.ts'
import { type Fault, fault } from '../../platform/fault.ts'
import { type RequestFacts, keepFacts } from '../../platform/http/request-facts.ts'
import type { Log } from '../../platform/log.ts'
import type { Authentication, GatewayRequest } from '../authentication.ts'
import { faultRefusal } from './refusals.ts'

export type ServeAuthenticated = (incoming: GatewayRequest) => Response | Promise<Response>

/** Authenticates a request and runs `serve`. Whatever is thrown becomes the response. */
type AuthenticateAndHandle = (
  request: Request,
  facts: RequestFacts,
  handler: ServeAuthenticated,
) => Promise<Response>

interface AuthenticateOptions {
  readonly authentication: Authentication
  readonly address: () => PublicAddress
  readonly log: Log
}

/** Makes the guard of every gateway route: it refuses pages of other sites, then authenticates the caller. */
export function createAuthenticateRequest({ authentication, address, log }: AuthenticateOptions): {
  readonly authenticate: AuthenticateAndHandle
  /** Does the same for a forwarded request. The origin was checked by the process that received it. */
  readonly authenticateForwarded: AuthenticateAndHandle
} {
  async function handle(
    request: Request,
    facts: RequestFacts,
    handler: ServeAuthenticated,
    isForwarded: boolean,
  ) {
    try {
      const refused = isForwarded ? null : foreignPageRefusal(request.headers, address)
      if (refused !== null) throw refused
      keepFacts(request, facts)
      const caller = await authentication.authenticate(request, facts)
      return await handler({ request, facts, caller, isForwarded })
    } catch (thrown) {
      const asked = { path: barePathOf(request.url), headers: request.headers, address: address() }
      return faultRefusal(thrown, facts, log, (why) => challengeFor(asked, why))
    }
  }

  return {
    authenticate: (request, facts, handler) => handle(request, facts, handler, false),
    authenticateForwarded: (request, facts, handler) => handle(request, facts, handler, true),
  }
}

/**
 * Why a request may have been made by a page of another site, or null (CVE-2025-66414): such a page shows in `Origin`.
 * One whose name its owner lets point here (DNS rebinding) shows in `Host`, which the edge has looked at before.
 */
export function foreignPageRefusal(headers: Headers, address: () => PublicAddress): Fault | null {
  const origin = headers.get('origin')
  if (origin === null || isOfHost(origin, headers.get('host') ?? '')) return null
  const own = address()
  if (own.origins.includes(origin)) return null
  return fault('forbidden', `Pages of other sites may not call the gateway; its own address is ${own.origin}`)
}

const isOfHost = (origin: string, host: string): boolean =>
  origin === `http://${host}` || origin === `https://${host}`
