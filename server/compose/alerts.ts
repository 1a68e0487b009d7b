import { type Alerts, type AlertsOptions, type SlowFacts, createAlerts } from '../alerts/alerts.ts'
import { type DecisionFeed, createDecisionFeed } from '../alerts/feed.ts'
import type { FileProblem } from '../config/declarative-file.ts'
import type { FileContent } from '../config/watched-file.ts'
import type { AlertRule } from '../../shared/alerts.ts'
import type { GatehouseFile } from '../../shared/gatehouse-file.ts'
import type { Health } from '../health/health.ts'
import type { Database } from '../platform/database.ts'
import { pagesMailingOver } from '../status-pages/store.ts'
import type { CoreServices } from './core-services.ts'

/** Alerts before health is there: their settings, and the way on which changed decisions come. */
export interface OpenedAlerts {
  readonly feed: DecisionFeed
  readonly alerts: ReturnType<typeof createAlerts>
}

export function openAlerts(
  core: CoreServices,
  parts: Omit<AlertsOptions, keyof CoreServices | 'feed' | 'usesOf'> & {
    declared: { readonly file: GatehouseFile }
  },
): OpenedAlerts {
  const feed = createDecisionFeed(core.database)
  const usesOf = (channel: string) => channelUses(channel, parts.declared.file, core.database)
  return { feed, alerts: createAlerts({ ...core, ...parts, feed, usesOf }) }
}

/** Returns what names a channel beside rules: pages whose subscribers get mails over it, and the file's statements. */
async function channelUses(
  channel: string,
  { status, statements }: GatehouseFile,
  database: Database,
): Promise<string[]> {
  const stored = await database.run((sql) => pagesMailingOver(sql, channel))
  const pages = [
    ...status.filter(({ emailChannel }) => emailChannel === channel).map(({ page }) => page),
    ...stored.filter((name) => !status.some(({ page }) => page === name)),
  ]
  return [
    ...pages.map((page) => `the status page "${page}"`),
    ...(statements.channels.includes(channel) ? ['the section statements of the file'] : []),
  ]
}

/** Connects alerts with what they look at. */
export const connectAlerts = (
  { alerts }: OpenedAlerts,
  health: Health,
  facts: (rules: readonly AlertRule[]) => Promise<SlowFacts>,
): Alerts => {
  const ids = () => health.services.list().map(({ id }) => id)
  return alerts.connect({
    services: {
      ids,
      changesSince: (since, most) => health.changesSince(ids(), since, most),
      find: (id) => (health.services.access.find(id) === undefined ? null : seenService(health, id)),
    },
    facts,
    deciding: health.deciding,
  })
}

function seenService(health: Health, id: string) {
  const { name, chain, provider, labels, decision, decisionSince, timestamp, reason, pending, maintenance } =
    health.services.summary(id)
  return {
    id,
    name,
    chain: chain?.key ?? null,
    provider,
    labels,
    decision,
    since: (decisionSince ?? timestamp) * 1000,
    reason: reason ?? '',
    pending: pending?.decision ?? null,
    certificateEndsAt: secondsToMs(health.certificateExpiresAt(id)),
    maintenance: maintenance?.note ?? null,
  }
}

const secondsToMs = (seconds: number | null): number | null => (seconds === null ? null : seconds * 1000)

/** Returns the mistakes of the sections of alerts that only show where they are used. */
export async function alertProblems(
  { channels, alerts: rules, status, statements }: GatehouseFile,
  problemAt: FileContent['problemAt'],
  alerts: OpenedAlerts['alerts'],
): Promise<FileProblem[]> {
  const problems: FileProblem[] = []
  for (const [place, channel] of channels.entries()) {
    const wrong = await alerts.channelProblem(channel)
    if (wrong !== null) problems.push(problemAt(['channels', place, wrong.field], wrong.message))
  }
  const names = new Set(channels.map(({ name }) => name))
  for (const [place, rule] of rules.entries()) {
    for (const [at, name] of rule.channels.entries()) {
      if (names.has(name) || alerts.hasChannel(name)) continue
      problems.push(problemAt(['alerts', place, 'channels', at], 'there is no channel of this name'))
    }
  }
  const hooks = new Set(channels.filter(({ type }) => type === 'webhook').map(({ name }) => name))
  for (const [place, name] of statements.channels.entries()) {
    if (hooks.has(name) || (!names.has(name) && alerts.hasChannel(name, 'webhook'))) continue
    const wrong = 'there is no channel of type webhook of this name'
    problems.push(problemAt(['statements', 'channels', place], wrong))
  }
  const mailNames = new Set(channels.filter(({ type }) => type === 'email').map(({ name }) => name))
  for (const [place, { emailChannel: name }] of status.entries()) {
    if (name === undefined || mailNames.has(name) || (!names.has(name) && alerts.hasChannel(name, 'email')))
      continue
    const wrong = 'there is no channel of type email of this name'
    problems.push(problemAt(['status', place, 'emailChannel'], wrong))
  }
  return problems
}
