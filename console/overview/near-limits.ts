import type { LimitName } from '../../shared/limits.ts'
import type { QueryKeyUse, QueryKeyView } from '../../shared/query-keys.ts'
import { isNearLimit, mostUsedLimit } from '../query-keys/near-limit.ts'
import type { Concern } from './attention.ts'

type Key = Pick<QueryKeyView, 'id' | 'name' | 'state' | 'rate' | 'credits'>

/** With many there is one sentence for all of the rest. */
const shownKeys = 3

const limitWords: Readonly<Record<LimitName, string>> = { rate: 'rate limit', credits: 'credits limit' }
const percents = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 })

/** Keys whose limits are nearly used up now, the nearest first; without those that alerts tell of. */
export function nearLimitConcerns(
  keys: readonly Key[],
  uses: readonly QueryKeyUse[],
  alerted: ReadonlySet<string>,
): readonly Concern[] {
  const byId = new Map(uses.map((use) => [use.keyId, use]))
  const near = keys.flatMap((key) => {
    const used = mostUsedLimit(key, byId.get(key.id))
    const isNear = used !== null && isNearLimit(key, byId.get(key.id))
    return isNear && !alerted.has(key.id) ? [{ key, ...used }] : []
  })
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
  return [...shown, { id: 'near-limit', tone: 'warn', text, page: 'queryKeys', query: { limits: 'near' } }]
}
