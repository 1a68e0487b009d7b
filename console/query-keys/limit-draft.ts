import { limitBounds } from '../../shared/limits.ts'
import type { Limit } from '../../shared/limits.ts'
import type { Period } from '../../shared/periods.ts'

/** A limit as it stands in the form: that of the installation, or one of the key's own. */
export interface LimitDraft {
  readonly source: 'default' | 'own'
  readonly units: string
  readonly period: Period
}

/** Null: the default holds. */
export type LimitReading =
  | { readonly kind: 'limit'; readonly limit: Limit | null }
  | { readonly kind: 'wrong'; readonly error: string }

/** A limit that is the same as the default follows it. */
export function limitDraft(limit: Limit | null, usual: Limit | null): LimitDraft {
  const isUsual = limit === null || (limit.units === usual?.units && limit.period === usual.period)
  return {
    source: isUsual ? 'default' : 'own',
    units: limit === null ? '' : String(limit.units),
    period: limit?.period ?? 'minute',
  }
}

/** Numbers may be grouped as people write them: `50,000`. */
export function readLimit({ source, units, period }: LimitDraft): LimitReading {
  if (source === 'default') return { kind: 'limit', limit: null }
  const digits = units.replace(/[\s,_']/g, '')
  const number = Number(digits)
  const isAllowed = /^\d+$/.test(digits) && number >= 1 && number <= limitBounds.units
  return isAllowed
    ? { kind: 'limit', limit: { units: number, period } }
    : { kind: 'wrong', error: 'A whole number from 1 to a trillion.' }
}
