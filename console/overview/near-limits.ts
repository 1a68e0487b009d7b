import { limitNames } from '../../shared/limits.ts'
import type { LimitName } from '../../shared/limits.ts'
import { maxKeyUses } from '../../shared/query-keys.ts'
import type { QueryKeyUse, QueryKeyView } from '../../shared/query-keys.ts'
import type { Concern } from './attention.ts'

type Key = Pick<QueryKeyView, 'id' | 'name' | 'state' | 'rate' | 'credits' | 'lastUsedAt'>

const dayMs = 86_400_000
/** From here on it is time to look at a limit, before it refuses calls. */
const nearShare = 0.8
/** With many there is one sentence for all of the rest. */
const shownKeys = 3

/** The keys that may be near a limit, those that were used last first; no more than may be asked for at once. */
export const keysToAsk = (keys: readonly Key[], now: number): readonly string[] =>
  keys
    .filter(({ state, rate, credits }) => state === 'enabled' && (rate !== null || credits !== null))
    .filter(({ lastUsedAt }) => lastUsedAt !== null && lastUsedAt > now - dayMs)
    .toSorted((one, other) => (other.lastUsedAt ?? 0) - (one.lastUsedAt ?? 0))
    .slice(0, maxKeyUses)
    .map(({ id }) => id)

interface Near {
  readonly key: Key
  readonly limit: LimitName
  readonly share: number
}

const limitWords: Readonly<Record<LimitName, string>> = { rate: 'rate limit', credits: 'credits limit' }
const percents = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 })

/** Keys whose limits are nearly used up now, the nearest first. */
export function nearLimitConcerns(keys: readonly Key[], uses: readonly QueryKeyUse[]): readonly Concern[] {
  const byId = new Map(uses.map((use) => [use.keyId, use]))
  const near = keys.flatMap((key) => nearestLimit(key, byId.get(key.id)))
  const sorted = near.toSorted((one, other) => other.share - one.share)
  const shown = sorted.slice(0, shownKeys).map(({ key, limit, share }): Concern => ({
    id: `near-limit-${key.id}`,
    tone: 'warn',
    text: `${percents.format(share)} of the ${limitWords[limit]} of “${key.name}” is used`,
    page: 'queryKeys',
    query: { search: key.name },
  }))
  const left = sorted.length - shown.length
  if (left === 0) return shown
  const text = `${left} more query ${left === 1 ? 'key is' : 'keys are'} near a limit`
  return [...shown, { id: 'near-limit', tone: 'warn', text, page: 'queryKeys', query: { state: 'enabled' } }]
}

/** Of both limits of a key the one that is used more, if it is nearly used up. */
function nearestLimit(key: Key, use: QueryKeyUse | undefined): readonly Near[] {
  const shares = limitNames.flatMap((limit) => {
    const used = limit === 'rate' ? use?.rateUsed : use?.creditsUsed
    const units = key[limit]?.units
    return used === undefined || used === null || units === undefined
      ? []
      : [{ key, limit, share: used / units }]
  })
  return shares
    .filter(({ share }) => share >= nearShare)
    .toSorted((one, other) => other.share - one.share)
    .slice(0, 1)
}
