import type { ProvenIdentity } from '../identity.ts'
import { readOperators } from '../operators.ts'

/** Who gets an account without asking, where others wait or need an invitation. */
export interface AllowList {
  includes(identity: ProvenIdentity): boolean
  /** Names in lower case. GitHub has to be asked for each whether somebody belongs to it. */
  readonly githubOrganisations: readonly string[]
}

const organisation = 'github-org:'
const domain = 'google-domain:'

export const githubGroup = (name: string): string => organisation + name.toLowerCase()
export const googleGroup = (hostedDomain: string): string => domain + hostedDomain.toLowerCase()

const isGroup = (entry: string): boolean => entry.startsWith(organisation) || entry.startsWith(domain)

/**
 * Reads identities as `readOperators` does, and groups: `github-org:kestrel-ops`, `google-domain:example.org`.
 * @throws TypeError naming the entry that is none of these
 */
export function readAllowList(entries: readonly string[]): AllowList {
  const groups = new Set(entries.filter(isGroup).map((entry) => entry.toLowerCase()))
  const identities = readOperators(entries.filter((entry) => !isGroup(entry)))
  return {
    includes: (identity) =>
      identities.includes(identity) || (identity.groups ?? []).some((group) => groups.has(group)),
    githubOrganisations: [...groups]
      .filter((group) => group.startsWith(organisation))
      .map((group) => group.slice(organisation.length)),
  }
}
