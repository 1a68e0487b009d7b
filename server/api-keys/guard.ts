import { Elysia } from 'elysia'

import { type Permission, operatorPermission, permissionLabels } from '../../shared/api-keys.ts'
import type { AddressLimit } from '../platform/http/address-limit.ts'
import type { Caller } from '../platform/http/caller.ts'
import { pathOf } from '../platform/http/direct-routes.ts'
import type { PublicAddress } from '../platform/http/public-address.ts'
import { challengeFor } from '../platform/http/token-doors.ts'
import { callerOf, openToItsPage } from '../platform/http/request-facts.ts'
import { type Fault, assertNever, fault } from '../platform/fault.ts'
import { badKeyText, tooManyBadKeys, unauthorizedText } from '../platform/http/api-key-refusals.ts'
import type { ApiKey } from './api-key.ts'
import { bearerToken } from '../platform/http/bearer-token.ts'
import type { InvalidKey } from '../keys/check.ts'
import type { KeyUse, Needs } from './check.ts'

/** What a handler knows of the key that was used. */
export interface AuthorizedKey {
  readonly id: string
  readonly accountId: string
  readonly name: string
}

/** What decides about the API key, or the token of an agent, that a request shows. */
export interface KeyAuthority {
  /** `path`: of what is asked for, for tokens that are good for one thing only. */
  authorize(value: string | null, use: KeyUse & { readonly path: string }): Promise<GuardVerdict>
  isAnsweringFromMemory(): boolean
}

type LetInKey = AuthorizedKey & Pick<ApiKey, 'allowedDomains'>

type GuardVerdict =
  | { readonly kind: 'allowed'; readonly key: LetInKey }
  | { readonly kind: 'ip_not_allowed' | 'domain_not_allowed' }
  | {
      readonly kind: 'permission_missing'
      readonly key: LetInKey
      /** None: it is the token of an agent, and no agent may do this. */
      readonly permissions: readonly Permission[]
    }
  | InvalidKey

export type ApiKeyGuard = ReturnType<typeof createGuard>

/**
 * An Elysia plugin for routes that take an API key: with `needs: 'token_create'` in its options a route is only
 * reached with a key that may do this, and finds it in `apiKey`; `needs: 'valid_key'` lets in any key that works.
 * Nothing else of the request is looked at before, neither its body nor its parameters.
 *
 * Faults: `unauthorized`, the same for every key that is none; `ip_not_allowed`, `domain_not_allowed`, `permission_missing`; `rate_limited` for too many bad keys from one address.
 * With the address of the installation, agents are told how to be let in where a token of theirs would do.
 */
export function createGuard(
  apiKeys: KeyAuthority,
  badKeys: AddressLimit,
  installation: (() => PublicAddress) | null = null,
) {
  const authorized = new WeakMap<Request, AuthorizedKey>()

  async function authorize(request: Request, needs: Needs): Promise<void> {
    if (authorized.has(request)) return
    const value = bearerToken(request.headers.get('authorization'))
    const caller = callerOf(request)
    refuseFlood(caller)
    const path = pathOf(request.url)
    const verdict = await apiKeys.authorize(value, { ...caller, needs, path })
    // Without a list the key is no page's. With one, the page that was let in may read what it is answered.
    const isLetIn = verdict.kind === 'allowed' || verdict.kind === 'permission_missing'
    if (isLetIn && verdict.key.allowedDomains.length > 0) openToItsPage(request)
    if (verdict.kind !== 'allowed')
      throw refusal(verdict, { ...caller, value }, badKeys, challengeOf(request, path))
    const { id, accountId, name } = verdict.key
    authorized.set(request, { id, accountId, name })
  }

  const challengeOf =
    ({ headers }: Request, path: string) =>
    (why: Parameters<typeof challengeFor>[1]): Record<string, string> => {
      const challenge =
        installation === null ? null : challengeFor({ path, headers, address: installation() }, why)
      return challenge === null ? {} : { 'www-authenticate': challenge }
    }

  /**
   * A good key works also from an address that shows many bad ones: it may be that of a company or of a proxy. But
   * while each look-up asks the database, a flood must not reach it.
   */
  function refuseFlood({ address }: Caller): void {
    const waitSec = apiKeys.isAnsweringFromMemory() ? 0 : badKeys.waitSec(address)
    if (waitSec > 0) throw tooManyBadKeys(waitSec)
  }

  return new Elysia({ name: 'api-key-guard' }).macro({
    needs: (needs: Needs) => {
      const authorizeFirst = ({ request }: { request: Request }) => authorize(request, needs)
      return {
        detail: { security: [{ apiKey: [] }] },
        // Elysia reads the body before anything that a macro can add: this goes in front of the route's parser.
        introspect: (hooks: Record<string, unknown>) => {
          if (hooks.parse !== undefined) hooks.parse = [authorizeFirst, hooks.parse].flat()
        },
        transform: authorizeFirst,
        resolve: ({ request }) => {
          const apiKey = authorized.get(request)
          if (apiKey === undefined) throw new TypeError('a guarded route was reached without its guard')
          return { apiKey }
        },
      }
    },
  })
}

function refusal(
  verdict: Exclude<GuardVerdict, { kind: 'allowed' }>,
  { address, origin, value }: Caller & { readonly value: string | null },
  badKeys: AddressLimit,
  challenge: (why: 'unauthorized' | 'permission_missing') => Record<string, string>,
): Fault {
  switch (verdict.kind) {
    case 'invalid': {
      const waitSec = verdict.why === 'missing' ? 0 : badKeys.count(address)
      if (waitSec > 0) return tooManyBadKeys(waitSec)
      return fault('unauthorized', badKeyText(value, unauthorizedText), {
        detail: { why: verdict.why },
        headers: challenge('unauthorized'),
      })
    }
    case 'ip_not_allowed':
      return fault('ip_not_allowed', addressText(address))
    case 'domain_not_allowed':
      return fault('domain_not_allowed', domainText(origin))
    case 'permission_missing':
      return fault('permission_missing', permissionText(verdict.permissions), {
        headers: challenge('permission_missing'),
      })
    default:
      return assertNever(verdict)
  }
}

const permissionText = (permissions: readonly Permission[]): string =>
  permissions.length === 0
    ? 'Agents may not do this: use an API key'
    : permissions.includes(operatorPermission)
      ? `This needs an API key with the permission ${permissionLabels[operatorPermission]}, of an account that is an operator's now`
      : `This key lacks the permission ${permissions.map((permission) => permissionLabels[permission]).join(' or ')}: tick it in the key`

const addressText = (address: string | null): string =>
  address === null
    ? 'This key works from its Allowed IPs only, and the address of this request is not known'
    : `This key does not work from ${address}: add the address to its Allowed IPs`

const maxShownChars = 200

const domainText = (origin: string | null): string =>
  origin === null
    ? 'This key works from its Allowed Domains only, and this request names no page in its Origin header'
    : `This key does not work from ${origin.slice(0, maxShownChars)}: add the domain to its Allowed Domains`
