import type { KeyStore } from '../keys/key-store.ts'
import type { Limit } from '../../shared/limits.ts'
import type { QueryKey } from './query-key.ts'

/** A key with a limit of credits, or an account whose plan has one for all of its keys, and how many of them are used. */
export interface KeySpending {
  readonly of: 'key' | 'account'
  readonly id: string
  /** Of an account its id. */
  readonly name: string
  readonly used: number
  readonly limit: number
  readonly period: string
}

interface KnownUse {
  /** The ids of the keys that were used last, at most so many. */
  lastUsed(limit: number): Promise<readonly string[]>
  /** Null: the store of limits does not say. */
  limitsUse(
    id: string,
    limits: { readonly rate: null; readonly credits: Limit },
  ): Promise<{ readonly creditsUsed: number | null } | null>
}

/** What others used has not changed for long. */
const mostKeys = 1_000
/** The store of the limits is asked for so many at once. */
const atOnce = 50

/**
 * Resolves to what is used of limits of credits: of the thousand keys of all accounts that were used last, and of their
 * accounts.
 */
export async function readSpending(
  store: Pick<KeyStore<QueryKey>, 'findAll'>,
  { lastUsed, limitsUse }: KnownUse,
): Promise<KeySpending[]> {
  const latest = await store.findAll(await lastUsed(mostKeys))
  const keys = latest.filter(({ isEnabled }) => isEnabled)
  const limited = [...keys.flatMap(ofKey), ...new Map(keys.flatMap(ofAccount)).values()]
  const found: KeySpending[] = []
  for (let from = 0; from < limited.length; from += atOnce) {
    const part = limited.slice(from, from + atOnce).map(async ({ credits, ...one }) => {
      const use = await limitsUse(one.id, { rate: null, credits })
      return { ...one, used: use?.creditsUsed ?? 0, limit: credits.units, period: credits.period }
    })
    found.push(...(await Promise.all(part)))
  }
  return found
}

interface Limited extends Pick<KeySpending, 'of' | 'id' | 'name'> {
  readonly credits: Limit
}

const ofKey = ({ id, name, credits }: QueryKey): Limited[] =>
  credits === null ? [] : [{ of: 'key', id, name, credits }]

/** The sum over all keys of its account, by the account's id. */
const ofAccount = ({ further }: QueryKey): [id: string, sum: Limited][] =>
  further.flatMap(({ scope, id, credits }): [string, Limited][] =>
    scope !== 'account' || credits === null ? [] : [[id, { of: 'account', id, name: id, credits }]],
  )
