import { limitBounds } from '../../shared/limits.ts'
import type { Limit } from '../../shared/limits.ts'
import type { Period } from '../../shared/periods.ts'

/** A limit as it stands in the form: that of the installation, none at all, or one of the key's own. */
export interface LimitDraft {
  readonly source: 'default' | 'none' | 'own'
  readonly units: string
  readonly period: Period
}

export type LimitReading =
  | { readonly kind: 'default' }
  | { readonly kind: 'limit'; readonly limit: Limit | null }
  | { readonly kind: 'wrong'; readonly error: string }

/** The draft of a new key's limit: as is usual. Where nothing is usual, there is none. */
export const newLimitDraft = (usual: Limit | null): LimitDraft => ({
  source: usual === null ? 'none' : 'default',
  units: '',
  period: usual?.period ?? 'minute',
})

/** The draft of a limit that a key has. One that is the same as the default goes on being it. */
export function limitDraft(limit: Limit | null, usual: Limit | null): LimitDraft {
  if (limit === null) return { ...newLimitDraft(usual), source: 'none' }
  const isUsual = limit.units === usual?.units && limit.period === usual.period
  return { source: isUsual ? 'default' : 'own', units: String(limit.units), period: limit.period }
}

/** A whole number, which may be grouped as people write it: `50,000`. NaN for anything else. */
export function typedUnits(text: string): number {
  const digits = text.replace(/[\s,_']/g, '')
  return /^\d+$/.test(digits) ? Number(digits) : Number.NaN
}

export function readLimit({ source, units, period }: LimitDraft): LimitReading {
  if (source === 'default') return { kind: 'default' }
  if (source === 'none') return { kind: 'limit', limit: null }
  const number = typedUnits(units)
  const isAllowed = number >= 1 && number <= limitBounds.units
  return isAllowed
    ? { kind: 'limit', limit: { units: number, period } }
    : { kind: 'wrong', error: 'A whole number from 1 to a trillion.' }
}
