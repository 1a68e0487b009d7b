import { createAlerts } from '../../server/alerts/alerts.ts'
import type { AlertsWorld } from '../../server/alerts/alerts.ts'
import { noFacts } from '../../server/alerts/decide/watched.ts'
import { createDecisionFeed } from '../../server/alerts/feed.ts'
import type { DeclaredAlerts } from '../../server/alerts/settings.ts'
import { createKeyReplicas } from '../../server/keys/key-replicas.ts'
import { systemClock } from '../../server/platform/clock.ts'
import type { Database } from '../../server/platform/database.ts'
import { createEgress } from '../../server/platform/egress.ts'
import { createMetrics } from '../../server/platform/metrics.ts'
import { createSteadyClock } from '../../server/platform/steady-clock.ts'
import { createVault } from '../../server/platform/vault.ts'
import { AlertRule } from '../../shared/alerts.ts'
import type { AlertChannel } from '../../shared/alert-channels.ts'
import type { Decision } from '../../shared/health.ts'
import { silentLog as log, unrecorded } from './database.ts'

export interface AlertsUnderTestOptions {
  readonly database: Database
  readonly channels: readonly AlertChannel[]
  /** As the file gives them. */
  readonly rules: readonly object[]
  /** All services, with their decision as it was stored last. Each is of the provider that its id ends with (`…@provider`), or of `acme`. */
  readonly decisions: ReadonlyMap<string, Decision>
  readonly deciding?: AlertsWorld['deciding']
  /** Epoch ms; the clock of the machine unless given. */
  readonly now?: () => number
}

/** Alerts as an installation runs them, over services whose decisions are made by hand. They may send to the loopback. */
export function openAlertsUnderTest(options: AlertsUnderTestOptions) {
  const { database, channels, rules, decisions } = options
  const clock = createSteadyClock(systemClock)
  const now = options.now ?? clock.now
  const egress = createEgress({
    clock: systemClock,
    allowPrivate: ['127.0.0.0/8'],
    schemes: ['http', 'https'],
  })
  const feed = createDecisionFeed(database)
  const file: DeclaredAlerts['file'] = {
    channels,
    alerts: rules.map((rule) => AlertRule.parse(rule)),
    maintenance: [],
  }
  const startedAt = now()
  const alerts = createAlerts({
    database,
    vault: createVault([Buffer.alloc(32, 1)]),
    clock: { now },
    log,
    metrics: createMetrics(),
    feed,
    egress,
    strangers: egress,
    replicas: createKeyReplicas({ database, clock, log }),
    record: unrecorded,
    declared: { file },
    origin: () => 'https://gate.example',
    usesOf: () => Promise.resolve([]),
  }).connect({
    services: {
      ids: () => [...decisions.keys()],
      changesSince: () => Promise.resolve(new Map()),
      find(id) {
        const decision = decisions.get(id)
        if (decision === undefined) return null
        const provider = id.split('@')[1] ?? 'acme'
        const state = {
          decision,
          since: startedAt,
          reason: '',
          pending: null,
          certificateEndsAt: null,
          maintenance: null,
        }
        return { id, name: id, chain: null, provider, ...state }
      },
    },
    facts: () => Promise.resolve(noFacts),
    deciding: options.deciding ?? { isDeciding: () => true, transaction: database.transaction },
  })

  return {
    alerts,
    feed,
    /** Stores changed decisions as health does, all at once, and says so. */
    async change(ids: readonly string[], from: Decision, to: Decision): Promise<void> {
      const changes = ids.map((serviceId) => ({ serviceId, at: now(), from, to, reason: '' }))
      await database.transaction((sql) => feed.store(sql, changes))
      feed.stored()
    },
    async stop(): Promise<void> {
      await alerts.stop()
      egress.close()
    },
  }
}
