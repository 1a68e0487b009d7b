import * as z from 'zod/mini'

import { EpochInstant, type FieldsOf, ManagedBy, managers } from './admin-resources.ts'
import type { ChannelType, ChannelView } from './alert-channels.ts'
import {
  type AlertSilence,
  DailySpan,
  type MaintenanceView,
  MaintenanceWindow,
  SilenceForm,
} from './alert-times.ts'
import { AlertRule, type AlertRuleView } from './alerts.ts'
import { mergePatchOf } from './merge-patch.ts'
import { IncidentStage, IncidentUpdate, type StatusIncident } from './status-pages.ts'

/** What `/admin` shows and takes of what people are told: alerts, and what holds them back, and incidents of status pages. */

const channelTypes = [
  'webhook',
  'slack',
  'telegram',
  'pagerduty',
  'email',
  'alertmanager',
] as const satisfies readonly ChannelType[]

const channelFields = {
  name: z.string(),
  type: z.enum(channelTypes),
  managedBy: ManagedBy,
  target: z.string().check(z.meta({ description: 'where it goes, for people, without what is secret' })),
  quietHours: z.nullable(DailySpan),
  settings: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  sent: z.int().check(z.meta({ description: 'messages of the last 30 days' })),
  waiting: z.int(),
  dead: z.int(),
  lastSentAt: z.nullable(EpochInstant),
} satisfies FieldsOf<ChannelView>

/** A channel without its secrets. */
export const ChannelResource = z.object(channelFields).check(z.meta({ id: 'Channel' }))
/** The answer to its creation. */
export const CreatedChannelResource = z
  .object({
    ...channelFields,
    secret: z
      .nullable(z.string())
      .check(z.meta({ description: 'the secret of a webhook that was made here: shown once' })),
  })
  .check(z.meta({ id: 'CreatedChannel' }))

/** An alert rule. */
export const AlertRuleResource = z
  .object({
    ...AlertRule.shape,
    managedBy: z.enum([...managers, 'default']),
    firing: z.int(),
    lastFiredAt: z.nullable(EpochInstant),
  } satisfies Partial<FieldsOf<AlertRuleView>>)
  .check(z.meta({ id: 'AlertRule' }))

export const AlertRulePatch = mergePatchOf(AlertRule, ['name'])

/** A silence that lasts. */
export const SilenceResource = z
  .object({
    ...SilenceForm.shape,
    until: EpochInstant,
    id: z.string(),
    createdAt: EpochInstant,
    createdBy: z.string().check(z.meta({ description: 'who made it, as the audit log calls them' })),
  } satisfies Partial<FieldsOf<AlertSilence>>)
  .check(z.meta({ id: 'Silence' }))

/** Work that is planned. */
export const MaintenanceResource = z
  .object({
    ...MaintenanceWindow.shape,
    once: z.optional(z.object({ from: EpochInstant, to: EpochInstant })),
    managedBy: ManagedBy,
    isUnderWay: z.boolean(),
    startsAt: z.nullable(EpochInstant).check(z.meta({ description: 'of what is under way or comes next' })),
    endsAt: z.nullable(EpochInstant),
  } satisfies Partial<FieldsOf<MaintenanceView>>)
  .check(z.meta({ id: 'MaintenanceWindow' }))

export const MaintenancePatch = mergePatchOf(MaintenanceWindow, ['name'])

/** An incident of a status page, or work that it announces. */
export const IncidentResource = z
  .object({
    id: z.string(),
    page: z.string(),
    kind: z.enum(['incident', 'maintenance']),
    title: z.string(),
    services: z.array(z.string()),
    startsAt: EpochInstant,
    endsAt: z.nullable(EpochInstant),
    isOver: z.boolean(),
    updates: z
      .array(z.object({ at: EpochInstant, stage: IncidentStage, text: z.string() }))
      .check(z.meta({ description: 'the oldest first; at least one' })),
  } satisfies FieldsOf<StatusIncident>)
  .check(z.meta({ id: 'Incident' }))

/** An update of the incident that the address names. */
export const IncidentPatch = z.omit(IncidentUpdate, { id: true })
