import type { McpServerFacts } from '../../shared/registry.ts'
import { mcpFactsOf } from './mcp-facts.ts'
import type { Listing, ProblemLog } from './snapshot.ts'

interface Holder {
  readonly origin: string
  readonly place: string
}

/**
 * Returns the listings that own their credential key. A credential that a caller sends under a key goes to every tool
 * server whose listing names the key, so a key belongs to one origin: that of the first listing with it. Listings of
 * other origins are left out and reported; otherwise an added row could collect the secrets of another provider
 * (threat 44).
 */
export function listingsWithOwnKeys(listings: readonly Listing[], log: ProblemLog): Listing[] {
  const holders = new Map<string, Holder>()
  return listings.filter((listing) => {
    const facts = mcpFactsOf(listing)
    if (facts === null || !facts.authRequired || facts.credentialKey === null) return true
    const { file, line, slug } = listing
    const { origin } = new URL(facts.mcpEndpoint)
    const key = facts.credentialKey.toLowerCase() // header names are compared without regard to case
    const holder = holders.get(key)
    if (holder === undefined) holders.set(key, { origin, place: `${file}:${line}` })
    if (holder === undefined || holder.origin === origin) return true
    const reason = `${slug} at ${origin} would get the secrets of ${holder.origin}, whose credentialKey ${key} is (${holder.place}): give it a credentialKey of its own`
    log.add({ file, line, reason, effect: 'left_out' })
    return false
  })
}

/**
 * Returns the key under which a tool server may be sent a credential, or null. A server that is listed as open to
 * everybody may ask for one all the same: its slug is its key then, unless the key belongs to another origin, which is
 * the one whose listing wants it, else the first that has it.
 */
export function createFindCredentialKey(listings: () => Iterable<Listing>) {
  let known: ReadonlyMap<string, string> | null = null

  function origins(): ReadonlyMap<string, string> {
    const found = new Map<string, string>()
    for (const wantsCredential of [true, false]) {
      for (const listing of listings()) {
        const facts = mcpFactsOf(listing)
        if (facts === null || facts.authRequired !== wantsCredential) continue
        const key = keyOf(listing, facts)
        if (!found.has(key)) found.set(key, new URL(facts.mcpEndpoint).origin)
      }
    }
    return found
  }

  return (listing: Listing, facts: McpServerFacts): string | null => {
    if (facts.authRequired) return facts.credentialKey
    known ??= origins()
    const key = keyOf(listing, facts)
    return known.get(key) === new URL(facts.mcpEndpoint).origin ? key : null
  }
}

const keyOf = ({ slug }: Listing, { credentialKey }: McpServerFacts): string =>
  (credentialKey ?? slug).toLowerCase()
