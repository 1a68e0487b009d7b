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
