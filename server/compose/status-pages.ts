import type { Alerts } from '../alerts/alerts.ts'
import { isChainless } from '../../shared/chains.ts'
import type { Health } from '../health/health.ts'
import type { KeyReplicas } from '../keys/key-replicas.ts'
import type { StreamingEgress } from '../platform/egress.ts'
import { sharedSecret } from '../platform/shared-secrets.ts'
import { type LiveService, type StatusPages, createStatusPages } from '../status-pages/status-pages.ts'
import type { ActiveFile } from './active-file.ts'
import type { CoreServices } from './core-services.ts'

interface StatusPageParts {
  readonly health: Health
  readonly alerts: Pick<Alerts, 'maintenance' | 'outbox'>
  /** The way to addresses that strangers chose. */
  readonly strangers: Pick<StreamingEgress, 'refusalOf'>
  readonly replicas: KeyReplicas
  readonly activeFile: Pick<ActiveFile, 'file'>
  /** Returns `scheme://host[:port]` of this installation. */
  readonly origin: () => string
}

/** Opens the public status pages over what health knows. */
export async function openStatusPages(
  { database, log, clock, vault }: CoreServices,
  { health, alerts, replicas, activeFile, origin, strangers }: StatusPageParts,
): Promise<StatusPages> {
  return createStatusPages({
    database,
    replicas,
    log,
    now: clock.now,
    vault,
    outbox: alerts.outbox,
    hashKey: await sharedSecret(database, vault, 'subscriber-hash'),
    world: {
      ofFile: () => activeFile.file.status,
      live: (id) => liveService(health, id),
      work: () => alerts.maintenance.planned(health.services.access.list),
      periods: health.periods,
      services: () => health.services.list(),
      refusalOf: strangers.refusalOf,
      origin,
    },
  })
}

/** What a public page may know of a service. */
function liveService({ services }: Health, id: string): LiveService | null {
  if (services.access.find(id) === undefined) return null
  const { name, family, decision, decisionSince, maintenance } = services.summary(id)
  return {
    name,
    isChainless: isChainless(family),
    decision,
    since: decisionSince === null ? null : decisionSince * 1000,
    maintenance: maintenance && { until: maintenance.until },
  }
}
