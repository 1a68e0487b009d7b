import * as z from 'zod/mini'

import type { Egress } from '../../platform/egress.ts'
import { githubGroup } from '../sign-up/allow-list.ts'
import { authorizationUrl } from './authorization-url.ts'
import { exchangeCode } from './code-exchange.ts'
import { exchangeJson } from './json-exchange.ts'
import { type IdentityProvider, type ProviderClient, failed, labelOf } from './provider.ts'

/** GitHub, or a GitHub Enterprise server. */
export interface GithubSettings extends ProviderClient {
  readonly authorizeUrl: string
  readonly tokenUrl: string
  readonly userUrl: string
}

/** GitHub answers 200 with an `error` in place of a token when it does not like the code. */
const Tokens = z.object({ access_token: z.string().check(z.minLength(1)) })

/** The number stays when people rename themselves; a login may be somebody else's tomorrow. */
const User = z.object({ id: z.int().check(z.minimum(1)), login: z.string() })

const Membership = z.object({ state: z.literal('active') })

/** `organisations`: of which it is asked whether somebody belongs to them. Who somebody is can be asked without a scope. */
export function createGithub(
  settings: GithubSettings,
  egress: Egress,
  organisations: readonly string[],
): IdentityProvider {
  const { authorizeUrl, tokenUrl, userUrl } = settings
  const scopes = organisations.length === 0 ? [] : ['read:org']

  /** What cannot be asked counts as no: nobody is kept from an account that they have. */
  async function groupsOf(authorization: string): Promise<string[]> {
    const asked = organisations.map(async (organisation) => {
      const url = `${userUrl}/memberships/orgs/${encodeURIComponent(organisation)}`
      const answer = await exchangeJson(egress, { url, headers: { authorization } })
      return answer.kind === 'json' && z.safeParse(Membership, answer.value).success
    })
    const isMember = await Promise.all(asked)
    return organisations.filter((_, place) => isMember[place]).map(githubGroup)
  }

  return {
    issuer: null,
    async redirectTo(run) {
      return { kind: 'redirect', url: authorizationUrl(authorizeUrl, settings, scopes, run) }
    },
    async identify({ code }, run) {
      const answer = await exchangeCode(egress, { url: tokenUrl, secretIn: 'body' }, settings, code, run)
      if (answer.kind === 'failed') return failed(`token: ${answer.detail}`)
      const tokens = z.safeParse(Tokens, answer.value)
      if (!tokens.success) return failed('token: none in the answer')

      const authorization = `Bearer ${tokens.data.access_token}`
      const about = await exchangeJson(egress, { url: userUrl, headers: { authorization } })
      if (about.kind === 'failed') return failed(`user: ${about.detail}`)
      const user = z.safeParse(User, about.value)
      if (!user.success) return failed('user: no id in the answer')
      const { id, login } = user.data
      return {
        kind: 'identified',
        identity: {
          kind: 'github',
          subject: String(id),
          label: labelOf(login),
          groups: await groupsOf(authorization),
        },
      }
    },
  }
}
