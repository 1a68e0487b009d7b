import { type Plan, type PlanUse, limitIn } from '../../shared/plans.ts'

const whole = new Intl.NumberFormat('en')

function mostText(limit: string | undefined, unit: string, used: number | null): string[] {
  const most = limit === undefined ? null : limitIn(limit)
  if (most === null) return []
  const text = `${whole.format(most.units)} ${unit} ${most.period === 'hour' ? 'an' : 'a'} ${most.period}`
  return [used === null ? text : `${whole.format(used)} of ${text}`]
}

/** What all keys of an account may use together, with what is used of it now. */
export const totalTexts = ({ plan, rateUsed, creditsUsed }: PlanUse): string[] => [
  ...mostText(plan?.totalMost?.rate, 'calls', rateUsed),
  ...mostText(plan?.totalMost?.credits, 'credits', creditsUsed),
]

/** The limits of each key, or of all together; nothing where there are none. */
export const mostUseTexts = (most: Plan['keyMost']): string[] => [
  ...mostText(most?.rate, 'calls', null),
  ...mostText(most?.credits, 'credits', null),
]

/** What one key may have by a plan. */
export const keyTexts = ({ keyMost, endpoints, methods, keyDays }: Plan): string[] => [
  ...mostUseTexts(keyMost),
  ...(endpoints === undefined ? [] : [`the endpoints ${endpoints.join(', ')}`]),
  ...(methods === undefined ? [] : [`the methods ${methods.join(', ')}`]),
  ...(keyDays === undefined ? [] : [`an end within ${keyDays} days`]),
]
