import { dayMs } from '../../shared/durations.ts'
import type { InvalidField } from '../../shared/faults.ts'
import type { Limit, LimitName } from '../../shared/limits.ts'
import { isPattern } from '../../shared/method-pattern.ts'
import { type Plan, limitTextOf } from '../../shared/plans.ts'
import { isWithin, type LimitPair, limitsOf, mostWithin } from './held-limits.ts'

/** What plans bound of a query key. Instants are epoch ms. */
export interface CappedKey extends LimitPair {
  readonly endpoint: string
  readonly moreEndpoints: readonly string[]
  readonly allowedMethods: readonly string[]
  readonly createdAt: number
  /** Null: never. */
  readonly expiresAt: number | null
}

export type KeyProblems = readonly InvalidField[]

/**
 * Returns what a key asks for beyond a plan. Nothing is said of what is as `usual`: a plan that was lowered refuses no edit
 * of something else, and the limits that an installation gives to all keys are held to the plan by themselves.
 */
export function capProblems(plan: Plan, key: CappedKey, usual: CappedKey): KeyProblems {
  const most = limitsOf(plan.keyMost)
  return [
    ...limitProblem(plan, 'rate', key.rate, usual.rate, most.rate),
    ...limitProblem(plan, 'credits', key.credits, usual.credits, most.credits),
    ...(key.endpoint === usual.endpoint || isCovered(key.endpoint, plan.endpoints)
      ? []
      : [refused(plan, ['endpoint'], key.endpoint, plan.endpoints)]),
    ...listProblems(plan, 'moreEndpoints', key.moreEndpoints, usual.moreEndpoints, plan.endpoints),
    ...listProblems(plan, 'allowedMethods', key.allowedMethods, usual.allowedMethods, plan.methods),
    ...expiryProblem(plan, key, usual),
  ]
}

const fieldOf: Readonly<Record<LimitName, string>> = { rate: 'rateLimit', credits: 'creditsLimit' }
const unitOf: Readonly<Record<LimitName, string>> = { rate: 'calls', credits: 'credits' }

function limitProblem(
  { name }: Plan,
  limit: LimitName,
  asked: Limit | null,
  usual: Limit | null,
  most: Limit | null,
): InvalidField[] {
  // No limit means up to the plan's.
  if (most === null || asked === null || isSame(asked, usual) || isWithin(asked, most)) return []
  const inPeriod =
    asked.period === most.period
      ? ''
      : `, which lets ${mostWithin(asked, most.period)} ${unitOf[limit]} through in a ${most.period}`
  const message = `expected at most ${limitTextOf(most)}, the most of a key by the plan ${name}, not ${limitTextOf(asked)}${inPeriod}`
  return [{ path: [fieldOf[limit]], message }]
}

const isSame = (one: Limit, other: Limit | null): boolean =>
  other !== null && one.units === other.units && one.period === other.period

function listProblems(
  plan: Plan,
  field: 'moreEndpoints' | 'allowedMethods',
  asked: readonly string[],
  usual: readonly string[],
  allowed: readonly string[] | undefined,
): InvalidField[] {
  return asked.flatMap((entry, place) =>
    usual.includes(entry) || isCovered(entry, allowed) ? [] : [refused(plan, [field, place], entry, allowed)],
  )
}

const refused = (
  { name }: Plan,
  path: InvalidField['path'],
  asked: string,
  allowed: readonly string[] = [],
): InvalidField => ({
  path,
  message: `expected one of ${allowed.map((entry) => JSON.stringify(entry)).join(', ')}, which the plan ${name} allows, not ${JSON.stringify(asked)}`,
})

/** Whether all that an entry stands for, a name or a beginning and `*`, is allowed. Nothing allowed: everything is. */
function isCovered(entry: string, allowed: readonly string[] | undefined): boolean {
  if (allowed === undefined || allowed.includes(entry)) return true
  const beginning = isPattern(entry) ? entry.slice(0, -1) : entry
  return allowed.some((one) => isPattern(one) && beginning.startsWith(one.slice(0, -1)))
}

function expiryProblem(
  { name, keyDays }: Plan,
  { expiresAt, createdAt }: CappedKey,
  usual: CappedKey,
): InvalidField[] {
  if (keyDays === undefined || expiresAt === null || expiresAt === usual.expiresAt) return []
  const latest = createdAt + keyDays * dayMs
  if (expiresAt <= latest) return []
  const message = `expected an instant until ${new Date(latest).toISOString()}: by the plan ${name} a key is good for ${keyDays} days`
  return [{ path: ['expiresAt'], message }]
}

/**
 * Returns a key that a plan allows, with what the plan decides where nothing is asked for. `before`: the key that an edit
 * changes, null for a new one. What the edit leaves as it was stays, and asking for no end takes no day from the key.
 */
export function capKey<Key extends CappedKey>(
  { methods, keyDays }: Plan,
  key: Key,
  before: CappedKey | null,
): Key {
  const { createdAt } = key
  const asksForAllMethods = key.allowedMethods.length === 0 && before?.allowedMethods.length !== 0
  const asksForNoEnd = key.expiresAt === null && before?.expiresAt !== null
  return {
    ...key,
    ...(asksForAllMethods && methods !== undefined && { allowedMethods: [...methods] }),
    ...(asksForNoEnd &&
      keyDays !== undefined && { expiresAt: Math.max(createdAt + keyDays * dayMs, before?.expiresAt ?? 0) }),
  }
}
