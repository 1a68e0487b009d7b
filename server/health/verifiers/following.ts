import type { Ingest } from '../evaluation/ingest.ts'
import type { AcceptedReport } from '../fleet/messages.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import type { ActiveVerifier, ActiveVerifiers } from './active-verifiers.ts'
import type { QuorumMembers } from './quorum-members.ts'
import { restartFloor } from './report-sequence.ts'
import type { Verifier } from './verifier.ts'

interface FollowingOptions {
  readonly activeVerifiers: ActiveVerifiers
  readonly ingest: Pick<Ingest, 'accept' | 'forgetVerifier'>
  readonly clock: SteadyClock
  readonly members: Pick<QuorumMembers, 'join'>
}

/** What a process knows of verifiers while another one decides, and what it forgets when it decides itself. */
export function createFollowing({ activeVerifiers, ingest, clock, members }: FollowingOptions) {
  /** Ids of built-in verifiers of other processes. */
  const foreign = new Set<string>()

  function findOrAdd(verifierId: string, builtIn: Verifier | null): ActiveVerifier | undefined {
    const known = activeVerifiers.find(verifierId)
    if (known !== undefined || builtIn === null) return known
    foreign.add(verifierId)
    return activeVerifiers.put(builtIn)
  }

  /** Another process decides: the built-in verifier of the one before is no longer asked. */
  function ownerChanged(): void {
    for (const id of foreign) {
      const removed = activeVerifiers.remove(id)
      if (removed) ingest.forgetVerifier(removed)
    }
    foreign.clear()
  }

  return {
    /** Adds the observations of a batch that the owner has accepted. */
    observe({ verifierId, builtIn, bodyHash, receivedAt, batch }: AcceptedReport): void {
      const entry = findOrAdd(verifierId, builtIn)
      if (entry === undefined) return
      entry.verifier.lastSeq = Math.max(entry.verifier.lastSeq, batch.seq)
      entry.lastBodyHash = bodyHash
      if (entry.joinedAt === null) members.join(entry, receivedAt)
      entry.verifier.lastSeenAt = Math.floor(receivedAt)
      ingest.accept(entry, batch, receivedAt)
    },

    ownerChanged,

    /**
     * This process decides from now on. It takes nothing that was sent before: the last owner may have taken it and died before
     * it could say so, and a batch that is taken twice is a replay. Verifiers adopt the number that they are told, and go on.
     */
    forgetOwner(): void {
      ownerChanged()
      const now = Math.floor(clock.now())
      for (const { verifier } of activeVerifiers.all()) verifier.lastSeq = restartFloor(verifier.lastSeq, now)
    },
  }
}
