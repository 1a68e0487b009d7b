import * as z from 'zod/mini'

import type { Period } from '../../shared/periods.ts'
import { ToolPattern, ToolPolicyForm } from '../../shared/tool-policies.ts'
import type { ToolPolicy, ToolPolicySubject } from '../../shared/tool-policies.ts'
import { issueErrors, issueText } from '../forms/field-errors.ts'
import type { FormReading } from '../forms/field-errors.ts'
import { readJsonArgument } from '../gateway/tool-form.ts'
import { limitDraft, typedUnits } from '../query-keys/limit-draft.ts'
import type { LimitDraft } from '../query-keys/limit-draft.ts'

/** What stands in the fields of a policy. */
export interface PolicyDraft {
  allow: readonly string[]
  deny: readonly string[]
  readOnly: boolean
  limits: readonly CallLimitDraft[]
  prices: readonly ToolPriceDraft[]
  credits: LimitDraft
  arguments: readonly ArgumentRuleDraft[]
}

interface RuleDraft {
  readonly tools: readonly string[]
}
interface CallLimitDraft extends RuleDraft {
  readonly units: string
  readonly period: Period
}
interface ToolPriceDraft extends RuleDraft {
  readonly credits: string
}
interface ArgumentRuleDraft extends RuleDraft {
  /** As JSON. */
  readonly schema: string
}

export const newCallLimit = (): CallLimitDraft => ({ tools: [], units: '', period: 'hour' })
export const newToolPrice = (): ToolPriceDraft => ({ tools: [], credits: '' })
export const newArgumentRule = (): ArgumentRuleDraft => ({ tools: [], schema: '' })

/** Null: a new policy. */
export const policyDraftOf = (policy: ToolPolicy | null): PolicyDraft => ({
  allow: policy?.allow ?? [],
  deny: policy?.deny ?? [],
  readOnly: policy?.readOnly ?? false,
  limits: (policy?.limits ?? []).map(({ tools, calls, period }) => ({ tools, units: String(calls), period })),
  prices: (policy?.prices ?? []).map(({ tools, credits }) => ({ tools, credits: String(credits) })),
  credits: limitDraft(policy?.credits ?? null, null),
  arguments: (policy?.arguments ?? []).map(({ tools, schema }) => ({
    tools,
    schema: JSON.stringify(schema, null, 2),
  })),
})

/** Every field that can show what is wrong with it; what is in a rule comes before the rule. */
export const toolPolicyFields = ({ limits, prices, arguments: rules }: PolicyDraft): string[] => [
  'subject',
  'policy.allow',
  'policy.deny',
  ...limits.flatMap((_, place) => [`policy.limits[${place}].calls`, `policy.limits[${place}]`]),
  'policy.limits',
  ...prices.flatMap((_, place) => [`policy.prices[${place}].credits`, `policy.prices[${place}]`]),
  'policy.prices',
  'policy.credits',
  ...rules.flatMap((_, place) => [`policy.arguments[${place}].schema`, `policy.arguments[${place}]`]),
  'policy.arguments',
]

/** Null: nobody is chosen whose calls it is for. */
export function readPolicyDraft(
  draft: PolicyDraft,
  subject: ToolPolicySubject | null,
): FormReading<ToolPolicyForm> {
  const schemas = draft.arguments.map(({ schema }) => readSchema(schema))
  const read = z.safeParse(ToolPolicyForm, {
    subject: subject ?? { level: 'account' },
    policy: policyInput(draft, schemas),
  })
  const errors = {
    ...(read.success ? {} : issueErrors(read.error.issues, toolPolicyFields(draft), wordsOf)),
    ...(subject === null && { subject: 'Choose whose calls it is for.' }),
    ...Object.fromEntries(
      schemas.flatMap((schema, place) =>
        typeof schema === 'string' ? [[`policy.arguments[${place}].schema`, schema]] : [],
      ),
    ),
  }
  return read.success && Object.keys(errors).length === 0
    ? { kind: 'value', value: read.data }
    : { kind: 'wrong', errors }
}

/** A text in place of a schema is why it is none. */
const readSchema = (text: string): Record<string, unknown> | string =>
  text.trim() === '' ? 'Enter a JSON Schema that the arguments must fit.' : readJsonArgument(text)

function policyInput(
  { allow, deny, readOnly, limits, prices, credits, arguments: rules }: PolicyDraft,
  schemas: readonly (Record<string, unknown> | string)[],
): z.input<typeof ToolPolicyForm>['policy'] {
  return {
    ...(allow.length > 0 && { allow: [...allow] }),
    deny: [...deny],
    readOnly,
    limits: limits.map(({ tools, units, period }) => ({
      tools: [...tools],
      calls: typedUnits(units),
      period,
    })),
    prices: prices.map(({ tools, credits: price }) => ({ tools: [...tools], credits: typedUnits(price) })),
    ...(credits.source === 'own' && {
      credits: { units: typedUnits(credits.units), period: credits.period },
    }),
    arguments: rules.map(({ tools }, place) => {
      const schema = schemas[place]
      return { tools: [...tools], schema: typeof schema === 'object' ? schema : {} }
    }),
  }
}

/** Bounds of lists have no words of their own. */
function wordsOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_small' && issue.origin === 'array')
    return 'Name a tool, or a pattern such as delete_*'
  if (issue.code === 'too_big' && issue.origin === 'array') return `At most ${issue.maximum} of them`
  return issueText(issue)
}

/** What is wrong with an entry of a list of tools; null when nothing is. */
export function toolPatternProblem(entry: string): string | null {
  const read = z.safeParse(ToolPattern, entry)
  const [issue] = read.error?.issues ?? []
  return issue === undefined ? null : wordsOf(issue)
}
