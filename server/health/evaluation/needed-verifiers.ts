import type { Policy } from '../../../shared/health.ts'
import { majorityOf } from '../../../shared/quorum.ts'
import { minLive } from '../decide/snapshot.ts'

/** Returns how many verifiers must be live before anything but UNKNOWN is said. */
export const neededVerifiers = (policy: Pick<Policy, 'minLive' | 'quorum'>, assigned: number): number =>
  policy.minLive === null && policy.quorum === 'majority' ? majorityOf(assigned) : minLive(policy, assigned)
