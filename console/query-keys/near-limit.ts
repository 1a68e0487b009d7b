import { limitNames } from '../../shared/limits.ts'
import type { LimitName } from '../../shared/limits.ts'
import { periodMs } from '../../shared/periods.ts'
import { maxKeyUses } from '../../shared/query-keys.ts'
import type { QueryKeyUse, QueryKeyView } from '../../shared/query-keys.ts'

type Limited = Pick<QueryKeyView, 'state' | 'rate' | 'credits'>

/** From here on it is time to look at a limit, before it refuses calls. */
const nearShare = 0.8
/** Of more keys than this the use is not asked: those that were used last are nearest to a limit. */
const maxAsked = 4 * maxKeyUses
/** When a key was used last is known to the minute, and a moment later. */
const knownLateMs = 120_000

/** The keys that may be near a limit, those that were used last first. `now` in epoch ms. */
export const keysToAsk = (
  keys: readonly (Limited & Pick<QueryKeyView, 'id' | 'lastUsedAt'>)[],
  now: number,
): readonly string[] =>
  keys
    .filter(({ state }) => state === 'enabled')
    .filter((key) => (key.lastUsedAt ?? 0) > now - longestPeriodMs(key) - knownLateMs)
    .toSorted((one, other) => (other.lastUsedAt ?? 0) - (one.lastUsedAt ?? 0))
    .slice(0, maxAsked)
    .map(({ id }) => id)

/** What was used before it counts towards no limit; without a limit nothing does. */
function longestPeriodMs(key: Limited): number {
  const lengths = limitNames.map((name) => (key[name] === null ? 0 : periodMs[key[name].period]))
  const longest = Math.max(...lengths)
  return longest === 0 ? Number.NEGATIVE_INFINITY : longest
}

/** Of both limits of a key the one that is used more, from 0 to 1; null where nothing is known of either. */
export function mostUsedLimit(
  key: Pick<Limited, LimitName>,
  use: QueryKeyUse | undefined,
): { readonly limit: LimitName; readonly share: number } | null {
  const shares = limitNames.flatMap((limit) => {
    const used = limit === 'rate' ? use?.rateUsed : use?.creditsUsed
    const units = key[limit]?.units
    return used === undefined || used === null || units === undefined ? [] : [{ limit, share: used / units }]
  })
  return shares.toSorted((one, other) => other.share - one.share)[0] ?? null
}

export const isNearLimit = (key: Limited, use: QueryKeyUse | undefined): boolean =>
  key.state === 'enabled' && (mostUsedLimit(key, use)?.share ?? 0) >= nearShare
