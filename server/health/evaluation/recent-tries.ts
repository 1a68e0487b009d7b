import type { ServiceDetails } from '../../../shared/health-details.ts'
import type { ListedService } from '../services/catalogue.ts'
import { countTries } from './effective-observation.ts'
import type { ObservationTable } from './observation-table.ts'

/** The newest tries of a service by all verifiers together. */
export type RecentTries = ServiceDetails['tries']

/** Returns what the last probes of each verifier found that still reports on a service. */
export function recentTries(
  table: ObservationTable,
  { service, slot }: ListedService,
  now: number,
): RecentTries {
  const sum = { count: 0, failed: 0, behind: 0 }
  table.forEachFresh(slot, now - service.policy.freshMs, (column) => {
    const { tries, failed, wrong } = countTries(table.memory(slot, column).window)
    sum.count += tries
    sum.failed += failed
    sum.behind += wrong - failed
  })
  return sum
}

/** Fewer tries than this tell nothing about a share. */
const minTries = 5
/** Less than this is the ordinary failure now and then of any network. */
const minShare = 0.1

/** Returns whether so many tries went wrong that it is worth a word. */
export const areUneven = ({ count, failed, behind }: RecentTries): boolean =>
  count >= minTries && failed + behind >= minShare * count
