import type { ApiKeys } from '../api-keys/api-keys.ts'
import type { AddressLimit } from '../http/address-limit.ts'
import { bearerToken } from '../http/bearer-token.ts'
import type { RequestFacts } from '../http/request-facts.ts'
import { type Fault, assertNever, fault } from '../platform/fault.ts'

/** Who calls the gateway. What belongs to one principal is for others as if it did not exist. */
export type Principal =
  | { readonly kind: 'anonymous'; readonly name: 'anonymous'; readonly from: From }
  | {
      readonly kind: 'account'
      /** The id of the API key: each agent has its own sessions. */
      readonly name: string
      readonly keyName: string
      readonly accountId: string
      readonly from: From
      /** Whether the key would be let in now, too. */
      readonly isStillAllowed: () => Promise<boolean>
    }

/** Worked out when somebody asks: most calls need no address. */
export type From = Pick<RequestFacts, 'caller'>

/** The part of the API keys that is needed here. */
export interface GatewayKeys extends Pick<ApiKeys, 'isAnsweringFromMemory' | 'onChange'> {
  authorize(value: string | null, use: Parameters<ApiKeys['authorize']>[1]): Promise<KeyVerdict>
}

interface GatewayKey {
  readonly id: string
  readonly name: string
  readonly accountId: string
}

type KeyVerdict =
  | { readonly kind: 'allowed'; readonly key: GatewayKey }
  | { readonly kind: 'invalid' | 'ip_not_allowed' | 'domain_not_allowed' | 'permission_missing' }

export interface Principals {
  /**
   * Asked at every request, so that a key that was disabled ends with the next one. A key that is wrong is never
   * taken for no key. Faults: `unauthorized`, `ip_not_allowed`, `domain_not_allowed`, `permission_missing`,
   * `rate_limited` for too many wrong keys from one address, `unavailable`.
   */
  identify(request: Request, from: From): Principal | Promise<Principal>
}

export function createPrincipals(keys: GatewayKeys, wrongKeys: AddressLimit): Principals {
  async function identifyByKey(authorization: string, from: From): Promise<Principal> {
    const caller = from.caller()
    refuseFlood(caller.address)
    const ask = () => keys.authorize(bearerToken(authorization), { ...caller, needs: 'gateway_use' })
    const verdict = await ask()
    switch (verdict.kind) {
      case 'allowed': {
        const { id, name, accountId } = verdict.key
        const isStillAllowed = async () => (await ask()).kind === 'allowed'
        return { kind: 'account', name: id, keyName: name, accountId, from, isStillAllowed }
      }
      case 'invalid':
        throw wrongKey(wrongKeys.count(caller.address))
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
          'This API key lacks the permission Gateway Use: tick it in the key, or call without a key for what is public',
        )
      default:
        return assertNever(verdict)
    }
  }

  /** While each look-up asks the database, wrong keys must not reach it without bound. */
  function refuseFlood(address: string | null): void {
    const waitSec = keys.isAnsweringFromMemory() ? 0 : wrongKeys.waitSec(address)
    if (waitSec > 0) throw wrongKey(waitSec)
  }

  return {
    identify(request, from) {
      const authorization = request.headers.get('authorization')
      if (authorization !== null) return identifyByKey(authorization, from)
      return { kind: 'anonymous', name: 'anonymous', from }
    },
  }
}

function wrongKey(waitSec: number): Fault {
  if (waitSec > 0) {
    return fault('rate_limited', 'Too many requests with a bad API key from this address', {
      retryAfterSec: waitSec,
    })
  }
  return fault(
    'unauthorized',
    'This API key is not valid: send one with the permission Gateway Use as Authorization: Bearer <API key>, or none for what is public',
  )
}
