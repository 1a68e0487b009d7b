import type { Accounts } from '../accounts/accounts.ts'
import type { Alerts } from '../alerts/alerts.ts'
import type { Audit } from '../audit/audit.ts'
import type { Health } from '../health/health.ts'
import { createStatementJob } from '../usage/statement-job.ts'
import type { Usage } from '../usage/usage.ts'
import type { ActiveFile } from './active-file.ts'
import type { CoreServices } from './core-services.ts'

interface StatementParts {
  readonly accounts: Pick<Accounts, 'namesOf'>
  readonly usage: Pick<Usage, 'statistics' | 'accountSums'>
  readonly alerts: Pick<Alerts, 'outbox' | 'webhookAddress'>
  readonly audit: Pick<Audit, 'list' | 'record'>
  readonly health: Pick<Health, 'deciding'>
  readonly activeFile: Pick<ActiveFile, 'file'>
}

/** Has statements of a month sent when it is over. Returns what ends that. */
export function openStatements({ clock, log }: CoreServices, parts: StatementParts): () => Promise<void> {
  const { accounts, usage, alerts, audit, health, activeFile } = parts
  const job = createStatementJob({
    usage,
    outbox: alerts.outbox,
    webhookAddress: alerts.webhookAddress,
    audit,
    deciding: health.deciding,
    channels: () => activeFile.file.statements.channels,
    namesOf: accounts.namesOf,
    now: clock.now,
    log,
  })
  job.start()
  return job.stop
}
