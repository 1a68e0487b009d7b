import * as z from 'zod/mini'

import { Period } from './periods.ts'

/** Bounds of a limit. Sums of units stay far below 2^53, so that counting them is exact. */
export const limitBounds = { units: 1_000_000_000_000 } as const

const allowedUnits = `a whole number from 1 to ${limitBounds.units}`

/** How many requests, or credits, a period may hold. Whole, because half a request cannot be refused. */
export const LimitUnits = z
  .int(allowedUnits)
  .check(z.minimum(1, allowedUnits), z.maximum(limitBounds.units, allowedUnits))

/** Never more than `units` in any interval of `period`, wherever it begins. */
export const Limit = z.strictObject({ units: LimitUnits, period: Period })
export type Limit = z.infer<typeof Limit>

/** Both limits of a query key have the same form and differ in what a call costs: 1 request, or its credits. */
export const limitNames = ['rate', 'credits'] as const
export type LimitName = (typeof limitNames)[number]

/** Whose limit it is: of the key itself, of each key by its account's plan, or of all keys of the account together. */
export type LimitScope = 'key' | 'plan' | 'account'
