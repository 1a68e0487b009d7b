import * as z from 'zod/mini'

import { DurationText } from '../../shared/alert-times.ts'
import { AlertRule, accountNews, installationTroubles } from '../../shared/alerts.ts'
import type { AlertCondition, MonthBudget } from '../../shared/alerts.ts'
import { issueErrors, issueText } from '../forms/field-errors.ts'
import type { FieldErrors, FormReading } from '../forms/field-errors.ts'
import { asSentence } from '../ui/sentence.ts'
import { conditionKindOf, isAboutServices } from './rule-words.ts'
import type { ConditionKind } from './rule-words.ts'
import { selectorDraftOf, selectorErrors, selectorOf } from './selector-draft.ts'
import type { SelectorDraft } from './selector-draft.ts'

type WhenOf<Key extends PropertyKey> = Extract<AlertCondition, Readonly<Record<Key, unknown>>>

/** A rule as it is typed, with the fields of every kind of condition: those of its own count. */
export interface RuleDraft {
  name: string
  kind: ConditionKind
  decision: WhenOf<'decision'>['decision']
  changes: string
  within: string
  verifier: WhenOf<'verifier'>['verifier']
  installation: WhenOf<'installation'>['installation']
  account: WhenOf<'account'>['account']
  /** Of certificates and keys: how long before their end. */
  before: string
  percent: string
  /** Of budgets: whose, and of what so many. */
  of: MonthBudget['of']
  id: string
  measure: MonthBudget['measure']
  units: string
  /** How long it has to be so before it fires. */
  for: string
  services: SelectorDraft
  channels: readonly string[]
  repeat: string
}

export const alertRuleFields = [
  'name',
  'for',
  'changes',
  'within',
  'decision',
  'verifier',
  'installation',
  'account',
  'before',
  'percent',
  'id',
  'units',
  'services',
  'channels',
  'repeat',
] as const

/** A new rule: it goes to every channel there is. */
export const newRuleDraft = (channels: readonly string[]): RuleDraft => ({
  name: '',
  kind: 'decision',
  decision: ['DOWN'],
  changes: '6',
  within: '1h',
  verifier: ['gone', 'isolated'],
  installation: [...installationTroubles],
  account: [...accountNews],
  before: '14d',
  percent: '80',
  of: 'account',
  id: '',
  measure: 'credits',
  units: '1000000',
  for: '1m',
  services: selectorDraftOf(undefined),
  channels,
  repeat: '',
})

/** `known`: the names of the channels that there are; others are left out. */
export const ruleDraftOf = (
  { name, when, services, channels, repeat }: AlertRule,
  known: readonly string[],
): RuleDraft => ({
  ...newRuleDraft(channels.filter((channel) => known.includes(channel))),
  name,
  kind: conditionKindOf(when),
  services: selectorDraftOf(services),
  repeat: repeat ?? '',
  ...textsOf(when),
})

function textsOf(when: AlertCondition): Partial<RuleDraft> {
  if ('flapping' in when) return { changes: String(when.flapping.changes), within: when.flapping.within }
  if ('certificate' in when) return { before: when.certificate.within }
  if ('keyEnds' in when) return { before: when.keyEnds.within }
  if ('keyLimit' in when) return { percent: String(when.keyLimit.percent) }
  if ('budget' in when) {
    const { of, id = '', measure, units, percent } = when.budget
    return { of, id, measure, units: String(units), percent: String(percent) }
  }
  return 'change' in when || 'tools' in when ? {} : when
}

const wholeNumber = (min: number, max: number) => (text: string) => {
  const isGood = /^\d{1,16}$/.test(text.trim()) && Number(text) >= min && Number(text) <= max
  return isGood ? undefined : `expected a whole number from ${min} to ${max}`
}

const problemBy = (schema: z.ZodMiniType) => (value: string) =>
  z.safeParse(schema, value).error?.issues.map(issueText)[0]
const duration = problemBy(DurationText)
const nameProblem = problemBy(AlertRule.shape.name)

const textChecks = {
  for: duration,
  within: duration,
  changes: wholeNumber(2, 1_000),
  before: duration,
  percent: wholeNumber(1, 100),
  units: wholeNumber(1, 1_000_000_000_000_000),
} as const

/** The texts of each kind of condition. */
const textFields: Readonly<Record<ConditionKind, readonly (keyof typeof textChecks)[]>> = {
  decision: ['for'],
  change: [],
  flapping: ['changes', 'within'],
  certificate: ['before'],
  verifier: ['for'],
  keyEnds: ['before'],
  keyLimit: ['percent'],
  budget: ['units', 'percent'],
  installation: ['for'],
  tools: [],
  account: [],
}

/** What is wrong with what is typed so far; what is still missing is told when it is sent. */
export function ruleProblems(draft: RuleDraft): FieldErrors {
  const { kind, name, repeat } = draft
  const problems: Record<string, string | undefined> = Object.fromEntries(
    textFields[kind].map((field) => [field, textChecks[field](draft[field])]),
  )
  if (name.trim() !== '') problems['name'] = nameProblem(name)
  if (repeat.trim() !== '') problems['repeat'] = duration(repeat.trim())
  const chosen = kind in draft ? draft[kind as 'decision'] : null
  if (Array.isArray(chosen) && chosen.length === 0) problems[kind] = 'choose at least one'
  return Object.fromEntries(
    Object.entries(problems).flatMap(([field, problem]) =>
      problem === undefined ? [] : [[field, asSentence(problem)]],
    ),
  )
}

function conditionOf(draft: RuleDraft): AlertCondition {
  const { kind, for: held } = draft
  switch (kind) {
    case 'decision':
      return { decision: draft.decision, for: held }
    case 'change':
      return { change: true }
    case 'flapping':
      return { flapping: { changes: Number(draft.changes), within: draft.within } }
    case 'certificate':
      return { certificate: { within: draft.before } }
    case 'verifier':
      return { verifier: draft.verifier, for: held }
    case 'keyEnds':
      return { keyEnds: { within: draft.before } }
    case 'keyLimit':
      return { keyLimit: { percent: Number(draft.percent) } }
    case 'budget': {
      const { of, measure, units, percent, id } = draft
      const one = id.trim() === '' ? {} : { id: id.trim() }
      return { budget: { of, ...one, measure, units: Number(units), percent: Number(percent) } }
    }
    case 'installation':
      return { installation: draft.installation, for: held }
    case 'tools':
      return { tools: 'changed' }
    case 'account':
      return { account: draft.account }
  }
}

/** `enabled`: whether the rule is switched on, which the form does not say. */
export function readRuleDraft(draft: RuleDraft, enabled: boolean): FormReading<AlertRule> {
  const errors = {
    ...(draft.name.trim() === '' && { name: 'Give it a name.' }),
    ...(isAboutServices(draft.kind) && selectorErrors(draft.services)),
    ...ruleProblems(draft),
  }
  if (Object.keys(errors).length > 0) return { kind: 'wrong', errors }
  const services = isAboutServices(draft.kind) ? selectorOf(draft.services) : undefined
  const read = z.safeParse(AlertRule, {
    name: draft.name,
    when: conditionOf(draft),
    ...(services !== undefined && { services }),
    channels: draft.channels,
    ...(draft.repeat.trim() !== '' && { repeat: draft.repeat.trim() }),
    enabled,
  })
  if (read.success) return { kind: 'value', value: read.data }
  return { kind: 'wrong', errors: issueErrors(read.error.issues, alertRuleFields) }
}
