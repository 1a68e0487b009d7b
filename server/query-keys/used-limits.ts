import { hourMs } from '../../shared/durations.ts'
import type { Limit } from '../../shared/limits.ts'
import { periodMs } from '../../shared/periods.ts'
import type { DefaultLimits, QueryKeyUse } from '../../shared/query-keys.ts'
import type { KeyStore } from '../keys/key-store.ts'
import type { QueryKey } from './query-key.ts'

/** How much is used of the fullest limit of a key, or of those that a plan has for all keys of an account together. */
export interface FullestLimit {
  readonly of: 'key' | 'account'
  readonly id: string
  /** Of an account its id. */
  readonly name: string
  readonly measure: 'calls' | 'credits'
  readonly used: number
  readonly limit: number
  readonly period: string
}

interface KnownUse {
  /** The ids of the keys that were used last, at most so many. */
  lastUsed(limit: number): Promise<readonly string[]>
  /** Null: the store of limits does not say. */
  limitsUse(id: string, limits: DefaultLimits): Promise<Omit<QueryKeyUse, 'keyId'> | null>
}

/** What others used has not changed for long. */
const mostKeys = 1_000
/** The store of the limits is asked for so many at once. */
const atOnce = 50
/** Limits of shorter periods are full and free again all the time, before anybody could look. */
const shortestPeriodMs = hourMs

/**
 * Resolves to the fullest limit of each of the thousand keys of all accounts that were used last, and of each of their
 * accounts.
 */
export async function readUsedLimits(
  store: Pick<KeyStore<QueryKey>, 'findAll'>,
  { lastUsed, limitsUse }: KnownUse,
): Promise<FullestLimit[]> {
  const latest = await store.findAll(await lastUsed(mostKeys))
  const keys = latest.filter(({ isEnabled }) => isEnabled)
  const limited = [...keys.flatMap(ofKey), ...new Map(keys.flatMap(ofAccount)).values()]
  const found: FullestLimit[] = []
  for (let from = 0; from < limited.length; from += atOnce) {
    const part = limited.slice(from, from + atOnce).map(async ({ limits, ...one }) => {
      const use = await limitsUse(one.id, limits)
      return fullest(limits, use).map((limit): FullestLimit => ({ ...one, ...limit }))
    })
    found.push(...(await Promise.all(part)).flat())
  }
  return found
}

interface Limited extends Pick<FullestLimit, 'of' | 'id' | 'name'> {
  readonly limits: DefaultLimits
}

const ofKey = ({ id, name, ...limits }: QueryKey): Limited[] => limitedBy({ of: 'key', id, name }, limits)

/** The sums over all keys of its account, by the account's id. */
const ofAccount = ({ further }: QueryKey): [id: string, sum: Limited][] =>
  further
    .filter(({ scope }) => scope === 'account')
    .flatMap(({ id, ...limits }) => limitedBy({ of: 'account', id, name: id }, limits))
    .map((limited) => [limited.id, limited])

function limitedBy(whose: Omit<Limited, 'limits'>, limits: DefaultLimits): Limited[] {
  const [rate, credits] = [lasting(limits.rate), lasting(limits.credits)]
  return rate === null && credits === null ? [] : [{ ...whose, limits: { rate, credits } }]
}

const lasting = (limit: Limit | null): Limit | null =>
  limit !== null && periodMs[limit.period] >= shortestPeriodMs ? limit : null

/** The fuller one of both limits, or the only one. */
function fullest({ rate, credits }: DefaultLimits, use: Awaited<ReturnType<KnownUse['limitsUse']>>) {
  const both = [
    { measure: 'calls', used: use?.rateUsed ?? 0, limited: rate },
    { measure: 'credits', used: use?.creditsUsed ?? 0, limited: credits },
  ] as const
  return both
    .flatMap(({ measure, used, limited }) =>
      limited === null ? [] : [{ measure, used, limit: limited.units, period: limited.period }],
    )
    .toSorted((one, other) => other.used / other.limit - one.used / one.limit)
    .slice(0, 1)
}
