import type { Deciding } from '../../platform/leases/deciding.ts'
import type { SavedHealth } from '../history/store.ts'
import type { FleetParts } from './fleet-parts.ts'
import { joinHealths } from './messages.ts'

interface TakeOver {
  readonly parts: Pick<
    FleetParts,
    'storedHealths' | 'carriedOn' | 'forgetOwner' | 'restore' | 'recordUnstored'
  >
  /** The newest decision on each service that this process received. */
  readonly decisions: Map<string, SavedHealth>
  readonly deciding: Pick<Deciding, 'begin'>
}

/** Goes on where the last owner stopped. Rejects while the database is away, and is repeated then. */
export async function takeOver({ parts, decisions, deciding }: TakeOver): Promise<void> {
  const { healths: known, unstored } = joinHealths(await parts.storedHealths(), decisions)
  // Before its built-in verifier is forgotten: until the one here has probed, what that one saw last is valid.
  const healths = known.map(parts.carriedOn)
  deciding.begin()
  parts.forgetOwner()
  // First, because some of these may have expired since, which is recorded next.
  for (const { stored, received } of unstored) parts.recordUnstored(received, stored)
  parts.restore(healths)
  for (const health of healths) decisions.set(health.serviceId, health)
}
