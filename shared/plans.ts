import * as z from 'zod/mini'

import { callLists, MoreEndpoints } from './query-keys.ts'
import { type Limit, limitBounds } from './limits.ts'
import { periods } from './periods.ts'
import { matching } from './text.ts'
import { noNameTwice } from './unique-names.ts'

export const planBounds = { plans: 100, maxKeys: 10_000, keyDays: 3_650 } as const

export const PlanName = matching(
  /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/,
  'expected a name of lower-case letters, digits and hyphens, such as free',
).check(z.maxLength(64))

const limitText = new RegExp(`^(?<units>[1-9][0-9]{0,12})/(?<period>${periods.join('|')})$`)

/** A limit as people write it. It stays a text in the file and on the wire; `limitIn` reads it. */
export const LimitText = matching(
  limitText,
  `expected a limit such as 100/minute: a whole number up to ${limitBounds.units}, and one of ${periods.join(', ')}`,
).check(
  z.refine(
    (text) => (limitIn(text)?.units ?? 0) <= limitBounds.units,
    `expected at most ${limitBounds.units} units`,
  ),
)

/** Returns the limit of a text such as `100/minute`; null for a text that is none. */
export function limitIn(text: string): Limit | null {
  const { units, period } = limitText.exec(text)?.groups ?? {}
  const known = periods.find((one) => one === period)
  return units === undefined || known === undefined ? null : { units: Number(units), period: known }
}

export const limitTextOf = ({ units, period }: Limit): string => `${units}/${period}`

/** At least one of both; what is not named is not limited. */
const MostUse = z
  .strictObject({ rate: z.optional(LimitText), credits: z.optional(LimitText) })
  .check(
    z.refine(
      ({ rate, credits }) => rate !== undefined || credits !== undefined,
      'expected rate, credits or both',
    ),
  )

const wholeUpTo = (least: number, most: number) => {
  const expected = `a whole number from ${least} to ${most}`
  return z.int(expected).check(z.minimum(least, expected), z.maximum(most, expected))
}

/**
 * What an account may have and use. What is left out is not limited by the plan. `endpoints` and `methods` are names, or
 * beginnings and `*`.
 */
export const Plan = z.strictObject({
  name: PlanName,
  maxKeys: z.optional(wholeUpTo(0, planBounds.maxKeys)), // query keys of the account
  keyMost: z.optional(MostUse), // for each key
  totalMost: z.optional(MostUse), // for all keys of the account together
  endpoints: z.optional(MoreEndpoints.check(z.minLength(1))), // that its keys may be made for
  methods: z.optional(callLists.allowedMethods.check(z.minLength(1))), // that its keys may call
  keyDays: z.optional(wholeUpTo(1, planBounds.keyDays)), // after which a key expires at the latest
})
export type Plan = z.infer<typeof Plan>

export const PlansSection = z.array(Plan).check(z.maxLength(planBounds.plans), noNameTwice)

export const PlanByName = z.strictObject({ name: PlanName })

/** What new accounts get; operators get no plan. */
export const SignUpSection = z.strictObject({ plan: z.optional(PlanName) })

/** A plan with how many accounts have it. */
export interface ListedPlan extends Plan {
  readonly managedBy: 'file' | 'operator'
  readonly accounts: number
  /** Whether new accounts get it. */
  readonly isForSignUp: boolean
}

/** The plan of an account and how much of it is used, as its owner sees it. */
export interface PlanUse {
  /** Null: the account has no plan, and no caps but those of the installation. */
  readonly plan: Plan | null
  readonly queryKeys: number
  /** Taken by all keys together in the periods of `totalMost` that end now; null: no such limit, or not known. */
  readonly rateUsed: number | null
  readonly creditsUsed: number | null
}
