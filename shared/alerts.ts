import * as z from 'zod/mini'

import { ChannelName } from './alert-channels.ts'
import { ServiceSelector } from './alert-services.ts'
import { DurationText } from './alert-times.ts'
import { Decision } from './health.ts'
import { idText, nameText, remark } from './text.ts'
import { noNameTwice } from './unique-names.ts'

/** A rule's id. */
export const RuleName = nameText(100)

/** For how long something has to be so before the rule fires. */
const hold = z._default(DurationText, '0s')

/** A service whose decision is one of these. */
const DecisionCondition = z.strictObject({
  decision: z.array(Decision).check(
    z.minLength(1),
    z.maxLength(4),
    z.refine((decisions) => new Set(decisions).size === decisions.length, 'expected no decision twice'),
  ),
  for: hold,
})

/** Any change of a service's decision: told each time, and over with UP. */
const ChangeCondition = z.strictObject({ change: z.literal(true) })

/** A service whose decision has changed so often within a time. */
const FlappingCondition = z.strictObject({
  flapping: z.strictObject({
    changes: z._default(z.int().check(z.minimum(2), z.maximum(1_000)), 6),
    within: z._default(DurationText, '1h'),
  }),
})

/** A verifier that does not report, or says that it is cut off. */
const VerifierCondition = z.strictObject({
  verifier: z.array(z.enum(['gone', 'isolated'])).check(z.minLength(1), z.maxLength(2)),
  for: hold,
})

const soon = z._default(DurationText, '14d')

/** A service whose TLS certificate ends within this time. */
const CertificateCondition = z.strictObject({ certificate: z.strictObject({ within: soon }) })

/** A query key or an API key that is used and ends within this time. */
const KeyEndsCondition = z.strictObject({ keyEnds: z.strictObject({ within: soon }) })

/**
 * A query key that has used this share of a limit, of calls or of credits, or an account of one that its plan has for all
 * keys. Limits of less than an hour are full and free again before anybody could do something about it.
 */
const KeyLimitCondition = z.strictObject({
  keyLimit: z.strictObject({ percent: z._default(z.int().check(z.minimum(1), z.maximum(100)), 80) }),
})

export const budgetMeasures = ['credits', 'calls'] as const
export const budgetSubjects = ['account', 'key'] as const

/**
 * An account or a query key that has used this share of so many credits or calls in the calendar month of UTC: a budget, of
 * one of them or of each. It refuses nothing.
 */
const BudgetCondition = z.strictObject({
  budget: z.strictObject({
    of: z._default(z.enum(budgetSubjects), 'account'),
    id: z.optional(idText(64)), // each of them when left out
    measure: z._default(z.enum(budgetMeasures), 'credits'),
    units: z.int().check(z.minimum(1), z.maximum(1_000_000_000_000_000)),
    percent: z._default(z.int().check(z.minimum(1), z.maximum(100)), 100),
  }),
})
export type MonthBudget = z.infer<typeof BudgetCondition>['budget']

export const installationTroubles = ['usage', 'limits', 'database'] as const
export type InstallationTrouble = (typeof installationTroubles)[number]

/** The installation itself: counts that are not written or rolled up, a store of the limits or a database that is away. */
const InstallationCondition = z.strictObject({
  installation: z
    .array(z.enum(installationTroubles))
    .check(z.minLength(1), z.maxLength(installationTroubles.length)),
  for: hold,
})

/** A tool server whose tools are not those that were accepted. */
const ToolsCondition = z.strictObject({ tools: z.literal('changed') })

export const accountNews = ['new operator', 'new place'] as const
export type AccountNews = (typeof accountNews)[number]

/** An account that became an operator's, or an operator who signed in from a network that is new for the account; for a day. */
const AccountCondition = z.strictObject({
  account: z.array(z.enum(accountNews)).check(z.minLength(1), z.maxLength(2)),
})

export const AlertCondition = z.union([
  DecisionCondition,
  ChangeCondition,
  FlappingCondition,
  VerifierCondition,
  CertificateCondition,
  KeyEndsCondition,
  KeyLimitCondition,
  BudgetCondition,
  InstallationCondition,
  ToolsCondition,
  AccountCondition,
])
export type AlertCondition = z.infer<typeof AlertCondition>

/** When somebody is told, about what, and where. The name is the rule's id. */
export const AlertRule = z.strictObject({
  name: RuleName,
  when: AlertCondition,
  services: z.optional(ServiceSelector), // all when left out
  channels: z._default(z.array(ChannelName).check(z.maxLength(20)), []),
  repeat: z.optional(DurationText), // told again after so long while it lasts; never when left out
  enabled: z._default(z.boolean(), true),
})
export type AlertRule = z.infer<typeof AlertRule>

/** A rule, as it is listed. `managedBy` is `default` for the rules that are there from the start and were not changed. */
export interface AlertRuleView extends AlertRule {
  readonly managedBy: 'file' | 'operator' | 'default'
  /** How many alerts of this rule are firing now. */
  readonly firing: number
  /** Epoch ms; null: not in the last 30 days. */
  readonly lastFiredAt: number | null
}

export const RuleByName = z.strictObject({ name: RuleName })

/** What an alert is about. */
export const alertSubjects = [
  'service',
  'chain',
  'verifier',
  'verifiers',
  'installation',
  'key',
  'connection',
  'account',
] as const
export type AlertSubject = (typeof alertSubjects)[number]

/** Why nobody is told of an alert that is firing. */
export interface HeldBack {
  readonly by: 'silence' | 'maintenance' | 'acknowledged'
  /** The id of the silence, the name of the maintenance, or who acknowledged it. */
  readonly name: string
  readonly reason: string
}

/** An alert that is firing, or was. Instants are epoch ms. */
export interface AlertView {
  readonly id: string
  readonly rule: string
  /** What happened, as webhooks name it: `service.decision_changed`, `key.expiring`. */
  readonly type: string
  readonly subject: { readonly kind: AlertSubject; readonly id: string; readonly name: string }
  /** For services: the decision that fires. */
  readonly decision: Decision | null
  /** One sentence for people. */
  readonly summary: string
  readonly since: number
  /** Null while it lasts. */
  readonly resolvedAt: number | null
  /** The names of the channels that were told. */
  readonly toldTo: readonly string[]
  /** Whether its rule names a channel now; otherwise nobody will be told. */
  readonly hasChannel: boolean
  readonly heldBack: HeldBack | null
  /** How many services one message stands for: those whose chain lost its reference, or whose verifiers are silent. */
  readonly affected: number
  readonly acknowledged: Acknowledged | null
}

/** Somebody takes care of an alert, with what others should know of it. */
export const Acknowledgement = z.strictObject({ id: idText(64), note: z._default(remark(500), '') })
export type Acknowledgement = z.infer<typeof Acknowledgement>

/** Who takes care of an alert. */
export interface Acknowledged {
  readonly at: number
  readonly by: string
  /** Left out where nothing was said. */
  readonly note?: string
}

/** What a rule would say now: the subjects for which it holds. */
export interface RuleTestResult {
  readonly holds: readonly Pick<AlertView, 'subject' | 'decision' | 'summary' | 'since' | 'heldBack'>[]
  /** Of how many services, verifiers or other things it looked at. */
  readonly lookedAt: number
}

/** A section of the declarative file whose items are called by their names. */
export const namedList = <Item extends z.ZodMiniType<{ readonly name: string }>>(item: Item) =>
  z._default(z.array(item).check(z.maxLength(200), noNameTwice), [])
