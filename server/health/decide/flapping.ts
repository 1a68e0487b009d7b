import type { Policy } from '../../../shared/health.ts'
import type { HealthState } from './state-machine.ts'
import { recentWorsenings } from './state-machine.ts'

const flappingWorsenings = 3

/** Advisory: the service got worse three times or more within `policy.flapWindowMs`. */
export function isFlapping(state: HealthState, now: number, policy: Policy): boolean {
  return recentWorsenings(state, now, policy) >= flappingWorsenings
}
