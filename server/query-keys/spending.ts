import type { KeyStore } from '../keys/key-store.ts'
import type { Limit } from '../../shared/limits.ts'
import type { QueryKey } from './query-key.ts'

/** A key with a limit of credits, and how many of them it has used. */
export interface KeySpending {
  readonly id: string
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

/** Resolves to what the keys with a limit of credits have used of it: of all accounts, the thousand that were used last. */
export async function readSpending(
  store: Pick<KeyStore<QueryKey>, 'findAll'>,
  { lastUsed, limitsUse }: KnownUse,
): Promise<KeySpending[]> {
  const latest = await store.findAll(await lastUsed(mostKeys))
  const keys = latest.flatMap(({ id, name, isEnabled, credits }) =>
    isEnabled && credits !== null ? [{ id, name, credits }] : [],
  )
  const found: KeySpending[] = []
  for (let from = 0; from < keys.length; from += atOnce) {
    const part = keys.slice(from, from + atOnce).map(async ({ id, name, credits }) => {
      const use = await limitsUse(id, { rate: null, credits })
      return { id, name, used: use?.creditsUsed ?? 0, limit: credits.units, period: credits.period }
    })
    found.push(...(await Promise.all(part)))
  }
  return found
}
