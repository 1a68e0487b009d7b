import { createHash } from 'node:crypto'

import type { Admitted, LimitDecision, Limits, LimitsUnavailable } from '../limits/limits.ts'
import { fault } from '../platform/fault.ts'
import type { CountedRule } from './decide.ts'

/** What counting a call came to. */
export type Counted =
  | { readonly admitted: true }
  /** The rule with the longest wait; null: no wait helps. */
  | { readonly admitted: false; readonly refusing: CountedRule; readonly waitSec: number | null }

/**
 * Counts a call against its limits: all of them, or none. `counter` tells the windows of accounts apart. Throws a Fault
 * `unavailable` where the limits cannot be counted: they are not used up, and the caller should not be told so.
 */
export type CountCall = (rules: readonly CountedRule[], counter: string) => Promise<Counted>

/**
 * Units are counted as credits are, because those can be given back: where one limit refuses, nothing is taken of the
 * others. What a call took of them until it was refused is missing to others for a moment, with a shared store for up to
 * a second.
 */
export function createCountCall(limits: Pick<Limits, 'admit'>): CountCall {
  return async (rules, counter) => {
    const taken: { readonly admitted: Admitted; readonly units: number }[] = []
    const giveBack = (): void => taken.forEach(({ admitted, units }) => admitted.giveBack(units))
    let refusing: CountedRule | null = null
    let longest: number | null = 0
    for (const rule of rules) {
      const decision = await limits.admit({
        keyId: windowIdOf(rule, counter),
        rate: null,
        credits: rule.limit,
        calls: 1,
        cost: rule.units,
      })
      if (decision.kind === 'admitted') {
        taken.push({ admitted: decision, units: rule.units })
        continue
      }
      if (decision.kind === 'unavailable') {
        giveBack()
        throw uncounted(decision)
      }
      const waitSec = waitSecOf(decision)
      if (refusing !== null && longest !== null && waitSec !== null && waitSec <= longest) continue
      if (longest !== null) refusing = rule
      longest = longest === null ? null : waitSec
    }
    if (refusing === null) return { admitted: true }
    giveBack()
    return { admitted: false, refusing, waitSec: longest }
  }
}

const uncounted = ({ retryAfterMs }: LimitsUnavailable) =>
  fault(
    'unavailable',
    'Calls cannot be counted against the limits of the policy at present: try again in a moment',
    {
      retryAfterSec: Math.ceil(retryAfterMs / 1_000),
    },
  )

const waitSecOf = (decision: Exclude<LimitDecision, Admitted | LimitsUnavailable>): number | null =>
  decision.kind === 'oversized' ? null : Math.ceil(decision.retryAfterMs / 1_000)

/** A short name of a window, because files of windows have little room for names. */
const windowIdOf = ({ window, level }: CountedRule, counter: string): string => {
  const owner = level === 'installation' ? `${counter} ` : ''
  return `tool:${createHash('sha256').update(`${owner}${window}`).digest('base64url').slice(0, 22)}`
}
