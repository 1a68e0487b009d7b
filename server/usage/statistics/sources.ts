import { fault } from '../../platform/fault.ts'
import type { KeyLabels, ShownKey } from '../key-labels.ts'
import { type AskedInterval, type Interval, intervalOf, type BucketUnit } from './interval.ts'
import type { StatisticsStore } from './store.ts'

/** What every answer about usage is made from. */
export interface Sources {
  readonly store: StatisticsStore
  readonly labels: KeyLabels
  /** Writes what this process has counted for an account (null: for all) and not written yet. */
  readonly flushFor: (accountId: string | null) => Promise<void>
  /** Returns epoch ms. */
  readonly now: () => number
}

/**
 * Returns the labels of an account's keys. Fault: `not_found` for a key that the account never had; nobody learns
 * whether somebody else has it.
 */
export async function labelsFor(
  { labels }: Sources,
  accountId: string,
  keyId: string | undefined,
): Promise<ReadonlyMap<string, ShownKey>> {
  const known = await labels.of(accountId)
  if (keyId !== undefined && !known.has(keyId)) throw fault('not_found', 'There is no query key of this id')
  return known
}

/** Returns the interval of a query. Fault: `invalid_request`, which names the field after `place`. */
export function intervalFor(
  ends: AskedInterval,
  granularity: 'total' | BucketUnit,
  now: number,
  place = '',
): Interval {
  const outcome = intervalOf(ends, granularity, now)
  if (outcome.kind === 'interval') return outcome.interval
  const { field, message } = outcome
  throw fault('invalid_request', `${place}${field}: ${message}`, { fields: [{ path: [field], message }] })
}
