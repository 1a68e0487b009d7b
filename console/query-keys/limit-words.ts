import type { Limit, LimitName } from '../../shared/limits.ts'
import type { Period } from '../../shared/periods.ts'
import { periods } from '../../shared/periods.ts'

const numbers = new Intl.NumberFormat('en')
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 20 })

/** `1.25M` for large round numbers; otherwise every digit, because calls are refused by the exact number. */
export const unitsText = (units: number): string =>
  units < 1_000_000 || units % 10_000 !== 0 ? numbers.format(units) : short.format(units)

/** `100 per minute` */
export const limitText = ({ units, period }: Limit): string => `${unitsText(units)} per ${period}`

export const limitTitles: Readonly<Record<LimitName, string>> = { rate: 'Calls', credits: 'Credits' }

/** A month is 30 days, and every period rolls. */
export const periodOptions: readonly { readonly value: Period; readonly label: string }[] = periods.map(
  (period) => ({ value: period, label: period === 'month' ? 'month (30 days)' : period }),
)
