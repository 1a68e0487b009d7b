import type { ProvenIdentity } from '../identity.ts'
import { readOperators } from '../operators.ts'

/** Who gets an account without asking, where others wait or need an invitation. */
export interface AllowList {
  includes(identity: ProvenIdentity): boolean
  /** Names in lower case. GitHub has to be asked for each whether somebody belongs to it. */
  readonly githubOrganisations: readonly string[]
  readonly oidcGroupKinds: OidcGroupKinds
}

/** What a provider of OpenID Connect is asked for, because the list has entries of it. */
export interface OidcGroupKinds {
  /** Of verified e-mail addresses. */
  readonly domains: boolean
  readonly groups: boolean
}

const organisation = 'github-org:'
const domain = 'google-domain:'
const domainAtOidc = 'oidc-domain:'
const groupAtOidc = 'oidc-group:'
const prefixes = [organisation, domain, domainAtOidc, groupAtOidc]

export const githubGroup = (name: string): string => organisation + name.toLowerCase()
export const googleGroup = (hostedDomain: string): string => domain + hostedDomain.toLowerCase()
export const oidcDomain = (ofEmail: string): string => domainAtOidc + ofEmail.toLowerCase()
/** Letter by letter: `Admins` may be another group than `admins`. */
export const oidcGroup = (name: string): string => groupAtOidc + name

const isGroup = (entry: string): boolean => prefixes.some((prefix) => entry.startsWith(prefix))

/**
 * Reads identities as `readOperators` does, and groups: `github-org:kestrel-ops`, `google-domain:example.org`,
 * `oidc-domain:example.org`, `oidc-group:Node operators`.
 * @throws TypeError naming the entry that is none of these
 */
export function readAllowList(entries: readonly string[]): AllowList {
  const groups = new Set(
    entries.filter(isGroup).map((entry) => (entry.startsWith(groupAtOidc) ? entry : entry.toLowerCase())),
  )
  const identities = readOperators(entries.filter((entry) => !isGroup(entry)))
  return {
    includes: (identity) =>
      identities.includes(identity) || (identity.groups ?? []).some((group) => groups.has(group)),
    githubOrganisations: [...groups]
      .filter((group) => group.startsWith(organisation))
      .map((group) => group.slice(organisation.length)),
    oidcGroupKinds: {
      domains: [...groups].some((group) => group.startsWith(domainAtOidc)),
      groups: [...groups].some((group) => group.startsWith(groupAtOidc)),
    },
  }
}
