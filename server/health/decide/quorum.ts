import type { Policy } from '../../../shared/health.ts'
import { assertNever } from '../../platform/fault.ts'

/**
 * How many verifiers must be live before anything but UNKNOWN is said, of those that should report on the service.
 * Ejected verifiers stay assigned: ejecting some must not make it easier for the rest to decide.
 */
export function minLive(policy: Pick<Policy, 'minLive' | 'quorum'>, assigned: number): number {
  if (policy.minLive !== null) return policy.minLive
  switch (policy.quorum) {
    case 'majority':
      return Math.floor(assigned / 2) + 1
    case 'bft':
      return Math.ceil((2 * assigned + 1) / 3)
    default:
      return assertNever(policy.quorum)
  }
}
