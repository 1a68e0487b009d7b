import type { Limit } from '../../shared/limits.ts'
import type { ToolPolicy } from '../../shared/tool-policies.ts'
import type { CheckArguments } from './argument-schema.ts'
import { type NamedTool, isCovered, isCoveredInAnyCase } from './pattern.ts'

/** Whose calls a policy is for. */
export type PolicyLevel = 'installation' | 'account' | 'key' | 'connection'

/** A policy with its schemas ready to check. */
export interface ReadyPolicy {
  readonly level: PolicyLevel
  /** Names its windows: each account has its own of the installation's policy. */
  readonly counted: string
  readonly policy: ToolPolicy
  /** The checks of `policy.arguments`, in its order. */
  readonly checks: readonly CheckArguments[]
}

/** What a policy says of one tool, whatever the arguments. Found once for each tool, because every call asks for it. */
export interface RulesOfTool {
  readonly refusal: PolicyRefusal | null
  /** Only refused where the tool does not say that it only reads. */
  readonly readOnly: PolicyRefusal | null
  readonly checks: readonly {
    readonly rule: string
    readonly check: CheckArguments
    readonly who: PolicyLevel
  }[]
  readonly limits: readonly CountedRule[]
  /** The price of a call. */
  readonly credits: number
}

/** A limit, and what a call takes of it. */
export interface CountedRule {
  readonly rule: string
  readonly level: PolicyLevel
  /** Names the window. */
  readonly window: string
  readonly limit: Limit
  readonly units: number
  readonly what: 'calls' | 'credits'
  readonly tools: readonly string[]
}

/** A rule that refuses, and what its caller is told. */
export interface PolicyRefusal {
  /** For instance `account deny`. */
  readonly rule: string
  readonly message: string
}

const whose: Readonly<Record<PolicyLevel, string>> = {
  installation: 'this installation',
  account: 'the account',
  key: 'this API key or agent',
  connection: 'this connection',
}

const owner = 'The owner of the account can change it in the console: Gateway, Policies.'
const changedBy: Readonly<Record<PolicyLevel, string>> = {
  installation: 'An operator can change it: toolPolicies in the installation’s file.',
  account: owner,
  key: owner,
  connection: owner,
}

const policyOf = (level: PolicyLevel): string => `the policy of ${whose[level]}`

/** Returns what a policy says of a tool. */
export function rulesOf({ level, counted, policy, checks }: ReadyPolicy, tool: NamedTool): RulesOfTool {
  const fits = ({ tools }: { readonly tools: readonly string[] }): boolean =>
    tools.some((pattern) => isCoveredInAnyCase(pattern, tool))
  const { limits, prices, credits } = policy
  const price = prices.find(fits)?.credits ?? 0
  const counts: CountedRule[] = limits.flatMap(({ tools, calls, period }, place) =>
    fits({ tools })
      ? [
          {
            rule: `${level} limits[${place}]`,
            level,
            window: JSON.stringify([counted, tools, period]),
            limit: { units: calls, period },
            units: 1,
            what: 'calls' as const,
            tools,
          },
        ]
      : [],
  )
  if (credits !== undefined && price > 0) {
    const window = JSON.stringify([counted, 'credits'])
    const rule = `${level} credits`
    counts.push({ rule, level, window, limit: credits, units: price, what: 'credits', tools: [] })
  }
  return {
    refusal: refusalOf(level, policy, tool),
    readOnly: policy.readOnly ? readOnlyRefusal(level) : null,
    checks: policy.arguments.flatMap((rule, place) => {
      const check = checks[place]
      return check !== undefined && fits(rule)
        ? [{ rule: `${level} arguments[${place}]`, check, who: level }]
        : []
    }),
    limits: counts,
    credits: price,
  }
}

function refusalOf(level: PolicyLevel, { allow, deny }: ToolPolicy, tool: NamedTool): PolicyRefusal | null {
  const denying = deny.find((pattern) => isCoveredInAnyCase(pattern, tool))
  if (denying !== undefined)
    return {
      rule: `${level} deny`,
      message: `This tool is denied by ${policyOf(level)} (denied tools: ${denying}). ${changedBy[level]}`,
    }
  if (allow === undefined || allow.some((pattern) => isCovered(pattern, tool))) return null
  return {
    rule: `${level} allow`,
    message: `This tool is not among those that ${policyOf(level)} allows. ${changedBy[level]}`,
  }
}

const readOnlyRefusal = (level: PolicyLevel): PolicyRefusal => ({
  rule: `${level} readOnly`,
  message: `By ${policyOf(level)} only tools that only read may be called, and this one does not say so: its annotations lack readOnlyHint, or it changed since it was accepted. ${changedBy[level]}`,
})

/** Returns the refusal of the first rule that does not need the arguments, of all levels; null where none refuses. */
export function refusalOfTool(rules: readonly RulesOfTool[], isReadOnly: boolean): PolicyRefusal | null {
  for (const { refusal } of rules) if (refusal !== null) return refusal
  return (isReadOnly ? null : rules.find(({ readOnly }) => readOnly !== null)?.readOnly) ?? null
}

/** Returns the refusal of the first rule whose schema the arguments do not fit. */
export function refusalOfArguments(
  rules: readonly RulesOfTool[],
  args: Readonly<Record<string, unknown>>,
): PolicyRefusal | null {
  for (const { checks } of rules) {
    for (const { rule, check, who } of checks) {
      const wrong = check(args)
      if (wrong === null) continue
      const message = `The arguments do not fit ${policyOf(who)} (${rule.slice(who.length + 1)}): ${wrong}. ${changedBy[who]}`
      return { rule, message }
    }
  }
  return null
}

/** The refusal of a limit that is used up; `waitSec` null where no wait helps. */
export function refusalOfLimit(counted: CountedRule, waitSec: number | null): PolicyRefusal {
  const { rule, level, limit, what, tools } = counted
  const { units, period } = limit
  const of = what === 'calls' ? ` of ${tools.slice(0, 3).join(', ')}${tools.length > 3 ? ' …' : ''}` : ''
  const then = waitSec === null ? 'a single call costs more' : `try again in ${waitSec} seconds`
  const most = `at most ${units} ${what === 'calls' && units === 1 ? 'call' : what}${of} in any ${period}`
  return { rule, message: `By ${policyOf(level)} there are ${most}: ${then}. ${changedBy[level]}` }
}

/** The price that is recorded of a call: the highest that any level has. Each level counts its own against its own limit. */
export const creditsOf = (rules: readonly RulesOfTool[]): number =>
  rules.reduce((highest, { credits }) => Math.max(highest, credits), 0)
