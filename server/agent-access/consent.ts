import type { AgentAnswer, AgentRequestView, AgentScope } from '../../shared/agents.ts'
import type { Author } from '../keys/changes.ts'
import type { Clock } from '../platform/clock.ts'
import { fault } from '../platform/fault.ts'
import { createAddressLimit } from '../platform/http/address-limit.ts'
import type { PublicAddress } from '../platform/http/public-address.ts'
import { leastScopeOf } from '../platform/http/token-doors.ts'
import {
  type AuthorizationRequest,
  type ReadRequest,
  answerAddress,
  clientIdIn,
  readRequest,
} from './authorization-request.ts'
import { type AgentClient, type AgentSettings, documentHost } from './clients/client.ts'
import { NoSuchClient } from './clients/clients.ts'
import { tooManyText } from './grants.ts'
import { redirectPlace } from './redirects.ts'
import { isOffered } from './resources.ts'
import type { TokenValues } from './token-values.ts'

interface ConsentOptions {
  readonly clients: { find(id: string, accountId: string): Promise<AgentClient> }
  readonly grants: {
    create(author: Author, request: AuthorizationRequest): Promise<{ code: string }>
    hasRoom(accountId: string): Promise<boolean>
  }
  readonly values: Pick<TokenValues, 'hashOf'>
  readonly settings: AgentSettings
  readonly address: () => PublicAddress
  readonly clock: Clock
}

const asksPerMinute = 30

/** The two calls of the consent page. */
export function createConsent({ clients, grants, values, settings, address, clock }: ConsentOptions) {
  const asks = createAddressLimit(asksPerMinute, clock.monotonic)

  /** Faults: `not_found` where OAuth is not offered, `rate_limited`, `unavailable`. */
  async function read(accountId: string, query: URLSearchParams): Promise<ReadRequest> {
    if (!isOffered(address())) throw fault('not_found', 'OAuth is offered by https only')
    const clientId = clientIdIn(query)
    if (clientId === null)
      return { kind: 'problem', problem: 'request_malformed', text: 'This request names no client' }
    try {
      const client = await clients.find(clientId, accountId)
      return readRequest(query, client, { origins: address().origins, appSchemes: settings.appSchemes })
    } catch (error) {
      if (error instanceof NoSuchClient)
        return { kind: 'problem', problem: error.problem, text: error.message }
      throw error
    }
  }

  /** Each name of a loopback installation is an issuer of its own: the one whose page was opened answers. */
  const issuerAt = (pageOrigin: string | null): string =>
    address().origins.find((origin) => origin === pageOrigin) ?? address().origin

  const fingerprintOf = (view: Omit<AgentRequestView, 'fingerprint'>): string =>
    values.hashOf(JSON.stringify(view))

  function viewOf({ client, redirectUri, scopes, resource }: AuthorizationRequest): AgentRequestView {
    const view = {
      clientName: client.name,
      verifiedHost: client.kind === 'document' ? documentHost(client.id) : null,
      sendsTo: redirectPlace(redirectUri),
      scopes,
      leastScope: leastScopeOf(resource),
      resource,
    }
    return { ...view, fingerprint: fingerprintOf(view) }
  }

  return {
    /** What the consent page, at `pageOrigin`, shows to somebody who is signed in. Faults as `read`. */
    async ask(accountId: string, text: string, pageOrigin: string | null): Promise<AgentAnswer> {
      const retryAfterSec = asks.count(accountId)
      if (retryAfterSec > 0) throw fault('rate_limited', 'Too many requests for access', { retryAfterSec })
      const found = await read(accountId, new URLSearchParams(text))
      if (found.kind === 'problem') return found
      if (found.kind === 'back') {
        return {
          kind: 'back',
          redirectTo: answerAddress(found.redirectUri, found.params, issuerAt(pageOrigin)),
        }
      }
      if (!(await grants.hasRoom(accountId)))
        return { kind: 'problem', problem: 'too_many_agents', text: tooManyText }
      return { kind: 'ask', request: viewOf(found.request) }
    },

    /**
     * Validates the same words again and believes the page nothing but which of the asked scopes were agreed to; null:
     * declined. Returns the address to send the browser to. Faults as `ask`; `conflict` for something else than was shown.
     */
    async decide(
      author: Author,
      decision: { query: string; fingerprint: string; scopes: readonly AgentScope[] | null },
      pageOrigin: string | null,
    ): Promise<{ redirectTo: string }> {
      const issuer = issuerAt(pageOrigin)
      const found = await read(author.accountId, new URLSearchParams(decision.query))
      if (found.kind !== 'ask')
        throw fault('conflict', 'There is nothing to agree to any more: ask again in the agent')
      const { request } = found
      const { redirectUri, state } = request
      const shown = viewOf(request)
      if (shown.fingerprint !== decision.fingerprint) {
        throw fault('conflict', 'The client has changed since this was shown: look at it again')
      }
      const scopes = request.scopes.filter((scope) => decision.scopes?.includes(scope) === true)
      if (scopes.length === 0) {
        return { redirectTo: answerAddress(redirectUri, { error: 'access_denied', state }, issuer) }
      }
      const { code } = await grants.create(author, { ...request, scopes })
      return { redirectTo: answerAddress(redirectUri, { code, state }, issuer) }
    },
  }
}
