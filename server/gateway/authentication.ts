import type { RequestFacts } from '../platform/http/request-facts.ts'
import type { ApiKeys } from '../api-keys/api-keys.ts'
import { type AddressLimit, sourceOf } from '../platform/http/address-limit.ts'
import { barePathOf } from '../platform/http/direct-routes.ts'
import { nextTurn } from '../platform/turns.ts'
import { bearerToken } from '../platform/http/bearer-token.ts'
import { type Fault, assertNever, fault } from '../platform/fault.ts'
import { badKeyText, tooManyBadKeys } from '../platform/http/api-key-refusals.ts'

/**
 * The authenticated caller of a gateway request. Sessions, connections and sealed states of one caller do not
 * exist for any other caller.
 */
export type GatewayCaller =
  | { readonly kind: 'anonymous'; readonly name: 'anonymous'; readonly from: RequestOrigin }
  | {
      readonly kind: 'account'
      /** The id of the API key, or of what an owner granted to an agent: each has its own sessions. */
      readonly name: string
      readonly keyName: string
      readonly accountId: string
      readonly from: RequestOrigin
      /** Resolves to true while the key would still pass the same check, or what was granted to the agent has not ended. */
      readonly isStillAllowed: () => Promise<boolean>
      /** The name of the virtual server at whose address the request came in; absent at those of the gateway. */
      readonly virtualServer?: string
    }

/** The virtual server at whose address the caller came. */
export const virtualServerOf = (caller: GatewayCaller): string | undefined =>
  caller.kind === 'account' ? caller.virtualServer : undefined

/** The name under which sessions are kept: a session of a virtual server is none of the gateway, and the other way round. */
export function sessionHolderOf(caller: GatewayCaller): string {
  const virtualServer = virtualServerOf(caller)
  return virtualServer === undefined ? caller.name : `${caller.name} /mcp/v/${virtualServer}`
}

/** Keys are checked in memory: without a pause, thousands of them would keep everybody waiting. */
const checkedInOneTurn = 100

/**
 * Ends what callers have open whose API key or grant has changed, unless they would be let in again; of all keys when
 * `keyId` is null. Rejects where that cannot be told.
 */
export async function endRefused<Open extends { readonly caller: GatewayCaller }>(
  all: Iterable<Open>,
  keyId: string | null,
  end: (open: Open) => void,
): Promise<void> {
  // Not those that are opened meanwhile: they were let in just now.
  const concerned = [...all].filter(({ caller }) => keyId === null || caller.name === keyId)
  for (const [place, open] of concerned.entries()) {
    if (place % checkedInOneTurn === checkedInOneTurn - 1) await nextTurn()
    if (open.caller.kind === 'account' && !(await open.caller.isStillAllowed())) end(open)
  }
}

/** The network origin of a request, read on demand because most calls need no address. */
type RequestOrigin = Pick<RequestFacts, 'caller'>

/** What decides about API keys and tokens of agents, as the gateway uses it. */
export interface GatewayApiKeys extends Pick<ApiKeys, 'isAnsweringFromMemory' | 'onChange'> {
  /** `path`: of the door, for tokens that open one door only. */
  authorize(value: string | null, use: KeyUse): Promise<KeyVerdict>
  /** Whether a key or an agent that was let in by this value, under this id, would be let in again. Fault: `unavailable`. */
  isStillAllowed(id: string, value: string | null, use: KeyUse): Promise<boolean>
}

type KeyUse = Parameters<ApiKeys['authorize']>[1] & { readonly path: string }

interface GatewayKey {
  readonly id: string
  readonly name: string
  readonly accountId: string
}

type KeyVerdict =
  | { readonly kind: 'allowed'; readonly key: GatewayKey }
  | { readonly kind: 'invalid' | 'ip_not_allowed' | 'domain_not_allowed' | 'permission_missing' }

export interface Authentication {
  /**
   * Authenticates one request; called for every request, so that a disabled key is refused from the next one
   * on. A wrong key is refused and never treated as anonymous. Faults: `unauthorized`, `ip_not_allowed`,
   * `domain_not_allowed`, `permission_missing`, `unavailable`, and `rate_limited` for too many wrong keys from
   * one address.
   */
  authenticate(request: Request, from: RequestOrigin): GatewayCaller | Promise<GatewayCaller>
}

export function createAuthentication(keys: GatewayApiKeys, wrongKeys: AddressLimit): Authentication {
  async function authenticateByKey(
    authorization: string,
    from: RequestOrigin,
    path: string,
  ): Promise<GatewayCaller> {
    refuseFlood(from)
    const use = {
      path,
      needs: 'gateway_use' as const,
      // Read on access: most keys are for every address and page.
      get address() {
        return from.caller().address
      },
      get origin() {
        return from.caller().origin
      },
    }
    const value = bearerToken(authorization)
    const verdict = await keys.authorize(value, use)
    switch (verdict.kind) {
      case 'allowed': {
        const { id, name, accountId } = verdict.key
        const isStillAllowed = () => keys.isStillAllowed(id, value, use)
        return { kind: 'account', name: id, keyName: name, accountId, from, isStillAllowed }
      }
      case 'invalid':
        throw wrongKey(wrongKeys.count(use.address), value)
      case 'ip_not_allowed':
        throw fault('ip_not_allowed', 'This API key does not work from this address: see its Allowed IPs')
      case 'domain_not_allowed':
        throw fault(
          'domain_not_allowed',
          'This API key does not work from this page: see its Allowed Domains',
        )
      case 'permission_missing':
        throw fault(
          'permission_missing',
          'This API key or agent lacks the permission Gateway Use: tick it in the key, connect the agent again, or call without a key for what is public',
        )
      default:
        return assertNever(verdict)
    }
  }

  /** Refuses addresses that sent many wrong keys while every key look-up costs a database query. */
  function refuseFlood(from: RequestOrigin): void {
    const waitSec = keys.isAnsweringFromMemory() ? 0 : wrongKeys.waitSec(from.caller().address)
    if (waitSec > 0) throw tooManyBadKeys(waitSec)
  }

  return {
    authenticate(request, from) {
      const authorization = request.headers.get('authorization')
      if (authorization !== null) return authenticateByKey(authorization, from, barePathOf(request.url))
      return { kind: 'anonymous', name: 'anonymous', from }
    },
  }
}

const wrongKeyText =
  'This API key or token is not valid: connect by OAuth, or send an API key with the permission Gateway Use as Authorization: Bearer <API key>; what is public needs none'

const wrongKey = (waitSec: number, value: string | null): Fault =>
  waitSec > 0 ? tooManyBadKeys(waitSec) : fault('unauthorized', badKeyText(value, wrongKeyText))

/** A request whose origin was checked and whose caller is known. */
export interface GatewayRequest {
  readonly request: Request
  readonly facts: RequestFacts
  readonly caller: GatewayCaller
  /**
   * True when another process authenticated the request first and forwarded it because its session is here.
   */
  readonly isForwarded: boolean
}

/** What all sessions of callers without an API key are counted under, besides their owners. */
export const withoutAccount = 'without account'

/** Whose sessions are counted together. */
export interface SessionOwner {
  readonly owner: string
  readonly isAnonymous: boolean
  /** Several callers that cannot be told apart. */
  readonly isShared: boolean
}

/**
 * An account, whichever of its API keys is used: otherwise one account with many keys would take the places of all. Without
 * a key the address stands for the caller, behind a trusted proxy the one that the proxy tells. A loopback address is that
 * of every program of this machine, and of every visitor when a proxy beside us is not trusted.
 */
export function sessionOwnerOf(caller: GatewayCaller): SessionOwner {
  if (caller.kind === 'account')
    return { owner: `account ${caller.accountId}`, isAnonymous: false, isShared: false }
  const { address } = caller.from.caller()
  const isShared = address === null || isLoopback(address)
  return { owner: `address ${sourceOf(address)}`, isAnonymous: true, isShared }
}

export const isLoopback = (address: string): boolean => address === '::1' || address.startsWith('127.')
