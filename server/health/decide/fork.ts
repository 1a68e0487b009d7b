import { voicesOf } from './voices.ts'

/** A hash that one verifier received from a service, for the one final height at which its round compares all services. */
export interface CheckpointHash {
  readonly serviceId: string
  readonly provider: string
  readonly hash: string
}

export interface ForkVerdict {
  /** The hash of more than half of the providers; null where there is none. */
  readonly trueHash: string | null
  /** The ids of services with another hash, which follow another chain. */
  readonly forked: ReadonlySet<string>
}

export const noForks: ReadonlySet<string> = new Set()

const minProviders = 3
const noForkFound: ForkVerdict = { trueHash: null, forked: new Set() }

/**
 * Tells the services that follow a fork. Each provider has one vote, the hash of more than half of its
 * services; one whose services disagree evenly has none but counts as a provider. Fewer than three
 * providers prove nothing, for two that differ accuse each other; nor does anything short of a strict
 * majority. In both cases no fork is reported.
 */
export function findForks(hashes: readonly CheckpointHash[]): ForkVerdict {
  const byProvider = hashesByProvider(hashes)
  if (byProvider.size < minProviders) return noForkFound

  const votes: string[] = []
  for (const ownHashes of byProvider.values()) {
    const vote = strictMajority(ownHashes, ownHashes.length)
    if (vote !== null) votes.push(vote)
  }
  const trueHash = strictMajority(votes, byProvider.size)
  if (trueHash === null) return noForkFound
  const forked = hashes.filter((entry) => entry.hash !== trueHash).map((entry) => entry.serviceId)
  return { trueHash, forked: new Set(forked) }
}

/** A hash with the height of its block, seen in one round. */
export interface HeadHash extends CheckpointHash {
  readonly height: number
}

/**
 * Tells the services that follow a fork by the newest blocks of one round, where these are of one height. A round that
 * falls into a change of the newest block may be wrong: only a fork that lasts outlives the hold. Three nodes of one
 * provider are three voices, because nobody else can be asked; nodes of two providers accuse each other.
 */
export function findHeadForks(heads: readonly HeadHash[]): ReadonlySet<string> {
  const forked = new Set<string>()
  for (const sameHeight of Map.groupBy(heads, ({ height }) => height).values()) {
    if (sameHeight.length < minProviders) continue
    for (const serviceId of findForks(voicesOf(sameHeight)).forked) forked.add(serviceId)
  }
  return forked
}

function hashesByProvider(hashes: readonly CheckpointHash[]): Map<string, string[]> {
  const byProvider = new Map<string, string[]>()
  for (const { provider, hash } of hashes) {
    const known = byProvider.get(provider)
    if (known === undefined) byProvider.set(provider, [hash])
    else known.push(hash)
  }
  return byProvider
}

function strictMajority(votes: readonly string[], electorate: number): string | null {
  const counts = new Map<string, number>()
  for (const vote of votes) {
    const count = (counts.get(vote) ?? 0) + 1
    if (2 * count > electorate) return vote
    counts.set(vote, count)
  }
  return null
}
