import { timingSafeEqual } from 'node:crypto'

import type { AgentScope } from '../../shared/agents.ts'
import type { Database, TransactionSql } from '../platform/database.ts'
import { hasRepeated, scopesIn } from './authorization-request.ts'
import type { AgentClient } from './clients/client.ts'
import type { GrantStore, RevokedWhy, StoredGrant } from './grant-store.ts'
import { OAuthRefusal } from './oauth-refusal.ts'
import { resourceOf } from './resources.ts'
import { type TokenStore, tokenLives } from './token-store.ts'
import { type TokenValues, accessPrefix, challengeOf, codePrefix, refreshPrefix } from './token-values.ts'

/** What the domain does around token requests. */
export interface TokenWorld {
  /** The client that a form names, once it has proved itself. Throws `OAuthRefusal`; fault: `unavailable`. */
  prove(form: URLSearchParams): Promise<AgentClient>
  /** Ends a grant for what its holder did. */
  end(grantId: string, why: RevokedWhy): Promise<void>
  readonly origins: () => readonly string[]
  readonly onOutcome: (grantType: GrantType, outcome: 'issued' | 'refused') => void
}

interface TokenRequestOptions {
  readonly database: Database
  readonly store: TokenStore
  readonly grants: Pick<GrantStore, 'lock'>
  readonly values: TokenValues
  readonly world: TokenWorld
}

export interface TokenAnswer {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly refresh_token: string
  readonly scope: string
}

const grantTypes = ['authorization_code', 'refresh_token'] as const
type GrantType = (typeof grantTypes)[number]

type Outcome =
  | { readonly kind: 'issued'; readonly answer: TokenAnswer }
  | { readonly kind: 'refused'; readonly code: string; readonly text: string }
  /** Somebody brought what was used before: the grant ends, in a transaction of its own. */
  | { readonly kind: 'reused'; readonly grantId: string; readonly why: RevokedWhy }

const refused = (text: string, code = 'invalid_grant'): Outcome => ({ kind: 'refused', code, text })

/** One text for whatever is wrong with a code or token: it does not tell whether there was one. */
const notValid = (what: 'code' | 'refresh token'): Outcome =>
  refused(`This ${what} is not valid, was used before, or belongs to another client`)

/**
 * The token address (RFC 6749, sections 4.1.3 and 6). The row of the grant is locked before anything is looked at, so that
 * of two processes with one code or token, one waits.
 *
 * The end of a grant is told to all processes by the change log, whose lock comes before that of any row. So reuse is
 * noticed in one transaction and acted upon in the next; whoever is killed between the two has given nothing away.
 */
export function createTokenRequests({ database, store, grants, values, world }: TokenRequestOptions) {
  async function issue(
    sql: TransactionSql,
    grant: StoredGrant,
    refreshToken: string,
    scopes: readonly AgentScope[],
  ): Promise<Outcome> {
    const accessToken = values.mint(accessPrefix)
    const accessHash = values.hashOf(accessToken)
    await store.issue(sql, grant.id, { accessHash, refreshHash: values.hashOf(refreshToken), scopes })
    return {
      kind: 'issued',
      answer: {
        access_token: accessToken,
        token_type: 'Bearer',
        expires_in: tokenLives.access,
        refresh_token: refreshToken,
        scope: scopes.join(' '),
      },
    }
  }

  /** Left out, it is the one that was agreed to. */
  const isSameResource = (form: URLSearchParams, grant: StoredGrant): boolean =>
    form.getAll('resource').every((asked) => resourceOf(asked, world.origins()) === grant.resource)

  /** A code is used up by the first who brings it with a proven client, rightly or not. */
  async function exchangeCode(
    sql: TransactionSql,
    form: URLSearchParams,
    client: AgentClient,
  ): Promise<Outcome> {
    const hash = values.hashIf(form.get('code'), codePrefix)
    const grantId = hash === null ? null : await store.grantOfCode(sql, hash)
    const grant = grantId === null ? null : await grants.lock(sql, grantId)
    if (hash === null || grant === null) return notValid('code')
    const code = await store.useCode(sql, hash)
    if (code === null) return { kind: 'reused', grantId: grant.id, why: 'code_replayed' }
    if (!code.isAlive || !grant.isAlive || grant.clientId !== client.id) return notValid('code')
    // Clients of OAuth 2.1 leave it out here (section 10.2): the challenge says who began.
    if (form.has('redirect_uri') && code.redirectUri !== form.get('redirect_uri'))
      return refused('redirect_uri is not the one that was asked for')
    if (!fits(form.get('code_verifier') ?? '', code.challenge))
      return refused('code_verifier does not fit the challenge')
    if (!isSameResource(form, grant)) return otherResource
    return issue(sql, grant, values.mint(refreshPrefix), grant.scopes)
  }

  async function refresh(sql: TransactionSql, form: URLSearchParams, client: AgentClient): Promise<Outcome> {
    const token = form.get('refresh_token') ?? ''
    const hash = values.hashIf(token, refreshPrefix)
    const grantId = hash === null ? null : await store.grantOfRefresh(sql, hash)
    const grant = grantId === null ? null : await grants.lock(sql, grantId)
    if (hash === null || grant === null || !grant.isAlive) return notValid('refresh token')
    const found = await store.findRefresh(sql, hash)
    if (found === null || !found.isAlive || grant.clientId !== client.id) return notValid('refresh token')
    if (!isSameResource(form, grant)) return otherResource
    const scopes = form.has('scope') ? scopesIn(form.get('scope'), grant.resource) : grant.scopes
    if (scopes === null || scopes.some((scope) => !grant.scopes.includes(scope))) {
      return refused('scope: expected scopes that were granted', 'invalid_scope')
    }
    const successor = values.successor(token)
    if (found.isUsed) {
      // Asked twice at once, or the answer was lost: the same successor, as long as nobody has used that one.
      const next = await store.findRefresh(sql, values.hashOf(successor))
      if (found.isLate || next === null || next.isUsed) {
        return { kind: 'reused', grantId: grant.id, why: 'refresh_reused' }
      }
    }
    await store.useRefresh(sql, hash)
    return issue(sql, grant, successor, scopes)
  }

  return {
    /** Answers a form of the token address. Throws `OAuthRefusal`; fault: `unavailable`. */
    async token(form: URLSearchParams): Promise<TokenAnswer> {
      if (hasRepeated(form)) throw new OAuthRefusal('invalid_request', 'A parameter is there more than once')
      const wanted = form.get('grant_type') ?? ''
      if (wanted === '')
        throw new OAuthRefusal(
          'invalid_request',
          `grant_type is missing: expected ${grantTypes.join(' or ')}`,
        )
      const grantType = grantTypes.find((type) => type === wanted)
      if (grantType === undefined) {
        throw new OAuthRefusal('unsupported_grant_type', `grant_type: expected ${grantTypes.join(' or ')}`)
      }
      const shown = grantType === 'refresh_token' ? 'refresh_token' : 'code'
      if ((form.get(shown) ?? '') === '') throw new OAuthRefusal('invalid_request', `${shown} is missing`)
      const client = await world.prove(form)
      const work = grantType === 'refresh_token' ? refresh : exchangeCode
      const outcome = await database.transaction((sql) => work(sql, form, client))
      world.onOutcome(grantType, outcome.kind === 'issued' ? 'issued' : 'refused')
      if (outcome.kind === 'issued') return outcome.answer
      if (outcome.kind === 'refused') throw new OAuthRefusal(outcome.code, outcome.text)
      await world.end(outcome.grantId, outcome.why)
      const what = outcome.why === 'code_replayed' ? 'code' : 'refresh token'
      throw new OAuthRefusal(
        'invalid_grant',
        `This ${what} was used before, so the access that it gave has ended`,
      )
    },

    /** RFC 7009, of either token. Nobody learns whether there was one. Throws as `token` does. */
    async revoke(form: URLSearchParams): Promise<void> {
      if (hasRepeated(form)) throw new OAuthRefusal('invalid_request', 'A parameter is there more than once')
      const client = await world.prove(form)
      const shown = form.get('token')
      const hash = values.hashIf(shown, accessPrefix) ?? values.hashIf(shown, refreshPrefix)
      const grantId = hash === null ? null : await store.grantOfToken(hash, client.id)
      if (grantId !== null) await world.end(grantId, 'client')
    },
  }
}

const otherResource = refused('resource is not the one that was agreed to', 'invalid_target')

function fits(verifier: string, challenge: string): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false
  const [one, other] = [Buffer.from(challengeOf(verifier)), Buffer.from(challenge)]
  return one.length === other.length && timingSafeEqual(one, other)
}
