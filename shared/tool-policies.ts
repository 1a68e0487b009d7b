import * as z from 'zod/mini'

import { Limit, LimitUnits } from './limits.ts'
import { Period } from './periods.ts'
import { anyObject, idText, matching } from './text.ts'

/** Bounds of one policy, so that what a call costs to check stays small. */
export const toolPolicyBounds = {
  patternChars: 300,
  patterns: 100,
  rules: 20,
  schemaBytes: 8_192,
  credits: 1_000_000,
} as const

/**
 * A pattern of names of tools, in which `*` stands for any characters. With the id of a service and a slash before it, it
 * is about the tools of that one only.
 */
export const ToolPattern = matching(
  /^\S+$/,
  'expected a name of a tool such as delete_repo, a pattern such as delete_*, or mcpservers:github/delete_*',
).check(z.maxLength(toolPolicyBounds.patternChars))

const Patterns = z
  .array(ToolPattern)
  .check(z.minLength(1), z.maxLength(toolPolicyBounds.patterns))
  .check(z.refine((patterns) => new Set(patterns).size === patterns.length, 'expected no pattern twice'))

/** Arguments that calls of these tools must have, as a JSON Schema. */
const ArgumentRule = z.strictObject({ tools: Patterns, schema: anyObject() })

/** At most so many calls of these tools together, in any interval of the period. */
const CallLimit = z.strictObject({ tools: Patterns, calls: LimitUnits, period: Period })

const callCredits = `a whole number from 0 to ${toolPolicyBounds.credits}`
const ToolPrice = z.strictObject({
  tools: Patterns,
  credits: z
    .int(callCredits)
    .check(z.minimum(0, callCredits), z.maximum(toolPolicyBounds.credits, callCredits)),
})

const ruleList = <Rule extends z.ZodMiniType>(rule: Rule) =>
  z._default(z.array(rule).check(z.maxLength(toolPolicyBounds.rules)), [])

/**
 * What tools may be called. All rules apply together, those of every level too, and what one of them refuses is refused:
 * `deny` wins over `allow`. Without `allow` every tool is allowed that nothing denies. The first price that fits counts.
 */
export const ToolPolicy = z
  .strictObject({
    allow: z.optional(Patterns),
    deny: z._default(z.array(ToolPattern).check(z.maxLength(toolPolicyBounds.patterns)), []),
    readOnly: z._default(z.boolean(), false), // only tools whose annotations say readOnlyHint
    arguments: ruleList(ArgumentRule),
    limits: ruleList(CallLimit),
    prices: ruleList(ToolPrice),
    credits: z.optional(Limit), // how many credits calls may cost in a period, by these prices
  })
  .check(z.superRefine(findImpossible))
export type ToolPolicy = z.infer<typeof ToolPolicy>

interface GivenPolicy {
  readonly allow?: readonly string[] | undefined
  readonly deny: readonly string[]
  readonly limits: readonly { readonly tools: readonly string[]; readonly period: Period }[]
  readonly prices: readonly { readonly credits: number }[]
  readonly credits?: Limit | undefined
}

/** Reports rules that contradict each other, at the field that is in the way. */
function findImpossible(policy: GivenPolicy, context: z.core.$RefinementCtx): void {
  const report = (message: string, path: (string | number)[]): void =>
    context.addIssue({ code: 'custom', message, path, input: undefined })
  const { allow = [], deny, limits, prices, credits } = policy
  deny.forEach((pattern, place) => {
    if (allow.includes(pattern))
      report('is allowed too: denying wins, so take it out of one list', ['deny', place])
  })
  if (deny.includes('*'))
    report('denies every tool: disable the key or delete the connection instead', ['deny'])
  if (credits !== undefined && prices.length === 0)
    report('needs prices: without them no call costs anything', ['credits'])
  prices.forEach((price, place) => {
    if (credits !== undefined && price.credits > credits.units)
      report(`is more than the limit of ${credits.units} credits: such a call could never be made`, [
        'prices',
        place,
        'credits',
      ])
  })
  const seen = new Set<string>()
  limits.forEach(({ tools, period }, place) => {
    const key = JSON.stringify([tools.toSorted(), period])
    if (seen.has(key)) report('limits the same tools over the same period again', ['limits', place])
    seen.add(key)
  })
}

/** Whose calls a policy is for: everything of an account, what one of its keys or agents calls, or one saved connection. */
export const ToolPolicySubject = z.discriminatedUnion('level', [
  z.strictObject({ level: z.literal('account') }),
  z.strictObject({ level: z.literal('key'), id: idText(100) }),
  z.strictObject({ level: z.literal('connection'), id: idText(100) }),
])
export type ToolPolicySubject = z.infer<typeof ToolPolicySubject>

export const ToolPolicyForm = z.strictObject({ subject: ToolPolicySubject, policy: ToolPolicy })
export type ToolPolicyForm = z.infer<typeof ToolPolicyForm>

export const ToolPolicyBySubject = z.strictObject({ subject: ToolPolicySubject })

/** A call that is tried out: nothing is sent and nothing is counted. */
export const ToolPolicyTest = z.strictObject({
  serviceId: idText(200),
  tool: matching(/^[^\p{Cc}]+$/u, 'expected the name of a tool').check(z.maxLength(256)),
  arguments: z._default(anyObject(), {}),
  isReadOnly: z._default(z.boolean(), false), // what the tool says of itself
  keyId: z.optional(idText(100)),
  connectionId: z.optional(idText(400)),
})
export type ToolPolicyTest = z.infer<typeof ToolPolicyTest>

/** A stored policy. The instant is epoch ms. */
export interface ToolPolicyView {
  readonly subject: ToolPolicySubject
  readonly accountId: string
  readonly policy: ToolPolicy
  readonly updatedAt: number
}

export interface ToolPolicyTestResult {
  readonly allowed: boolean
  /** The rule that refuses, as `account deny`; null where the call is allowed. */
  readonly rule: string | null
  /** What the caller would be told; null where the call is allowed. */
  readonly message: string | null
  /** What is counted, where the call is allowed. */
  readonly counted: readonly { readonly rule: string; readonly limit: Limit; readonly units: number }[]
}

/** The section `toolPolicies` of the declarative file. */
export const ToolPoliciesSection = z.strictObject({ installation: z.optional(ToolPolicy) })
export type ToolPoliciesSection = z.infer<typeof ToolPoliciesSection>
