/**
 * Alerts: tells people in time that a node died, a chain lost its reference, a verifier is silent.
 *
 * The way of an alert, in order:
 * 1. Health stores a changed decision, and in the same transaction `feed.ts` adds it to the table `alert_events`.
 * 2. `engine.ts` looks at each change once, and at everything every five seconds, in the one process that decides about health
 *    (`platform/leases/`). `watch-services.ts` knows what was taken so far; what is known of keys, accounts, tool servers and the
 *    installation itself is handed in (`compose/alert-facts.ts`), from the database once a minute.
 * 3. `decide/decide.ts` is pure: which rules hold for what (`conditions.ts`, `other-conditions.ts`), what is the cause of many at once (`causes.ts`), what
 *    is held back by silences and maintenance (`held-back.ts`, `spans.ts`), what is told, and what is over.
 * 4. `decide/compose-messages.ts` makes messages of it: what comes at once is one message, what follows in half a minute another.
 * 5. Alerts, messages and the changes that were looked at are stored in one transaction. `outbox/outbox-store.ts` is the outbox.
 * 6. `outbox/sender.ts` sends what is due: `channels/` writes the payload of each type, `outbox/send.ts` sends it over the guarded
 *    way out (`outbox/send-mail.ts` for mail), and `outbox/back-off.ts` says when to try again.
 * 7. `outage.ts` tells that the database is away, from memory, with the same decisions and messages.
 * `settings.ts` has channels, rules, silences and planned maintenance of file and operators in the memory of every process;
 * `manage-*.ts` are what operators do with them, `procedures.ts` who may. Other domains send by `outbox.enqueue`.
 *
 * Decisions: a message is sent at least once, at each attempt under the same id and with the same content, so that a receiver
 * that goes by the id sees it once. Of two messages about the same alert the older goes first. UNKNOWN resolves nothing: a node of
 * which nobody knows is not known to be well.
 *
 * Failure: a process that dies at any step loses nothing, for what it had not finished is in the database; what it had sent
 * without noting it is sent again under its id. Each message of a channel that fails is tried for a day with longer and
 * longer pauses, and after each failure nothing goes to the channel for five seconds, or for as long as it asks. After that
 * day its messages are kept as dead for 30 days and can be sent again. While the database is away nothing but that is
 * decided or sent; it goes on when it is back.
 *
 * Known limitations: that the database is away is told by the process that decides; one that ends meanwhile does not tell that it
 * is back. Of keys with a limit, the thousand that were used last are looked at, and of operators the latest
 * hundred sign-ins; the store of the limits and the writing of counts are those of the process that decides.
 */
import type { AlertChannel } from '../../shared/alert-channels.ts'
import type { AlertRule } from '../../shared/alerts.ts'
import type { Database, TransactionSql } from '../platform/database.ts'
import type { StreamingEgress } from '../platform/egress.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Vault } from '../platform/vault.ts'
import { createAlertStore } from './alert-store.ts'
import { countedMs } from './decide/conditions.ts'
import type { SlowFacts } from './decide/watched.ts'
import { createEngine } from './engine.ts'
import type { DecisionFeed } from './feed.ts'
import { channelProblem, createManageChannels } from './manage-channels.ts'
import { createManageDeliveries } from './manage-deliveries.ts'
import { createManageFiring } from './manage-firing.ts'
import { createManageMaintenance } from './manage-maintenance.ts'
import { createManageRules } from './manage-rules.ts'
import { createManageSilences } from './manage-silences.ts'
import { createAlertMetrics } from './metrics.ts'
import { createOutageWatch } from './outage.ts'
import type { AddressedMessage, MessageAddress, SealedMessage } from './outbox/addressed-message.ts'
import { type NewDelivery, createOutboxStore } from './outbox/outbox-store.ts'
import { createSend } from './outbox/send.ts'
import { createDeliverySender, targetPlace } from './outbox/sender.ts'
import { type AlertSettingsOptions, createAlertSettings } from './settings.ts'
import { createSettingsStore } from './settings-store.ts'
import { createUpkeep } from './upkeep.ts'
import { type ServiceSource, createWatchServices } from './watch-services.ts'

export type { SlowFacts } from './decide/watched.ts'
export type { MessageAddress } from './outbox/addressed-message.ts'

/** For other domains: messages that are delivered at least once, with retries for a day. */
export interface Outbox {
  /** Adds messages in the caller's transaction: they are sent if it is committed, and not at all otherwise. */
  enqueue(sql: TransactionSql, messages: readonly AddressedMessage[]): Promise<void>
  /** Takes back, in the caller's transaction, what waits to be sent in the order of one of these words. */
  withdraw(sql: TransactionSql, orderBy: readonly string[]): Promise<void>
  /** Whether there is a channel of type `email` of this name, over which mails go. */
  hasMailChannel(name: string): boolean
  /** Sends what is due without waiting for the next look, which comes within a second. After the commit. */
  wake(): void
}

export interface AlertsOptions extends Omit<AlertSettingsOptions, 'store' | 'now'> {
  readonly database: Database
  readonly vault: Vault
  readonly clock: { now(): number }
  readonly log: Log
  readonly metrics: Metrics
  readonly feed: DecisionFeed
  readonly egress: Pick<StreamingEgress, 'request' | 'resolve' | 'refusalOf'>
  /** The way to addresses that strangers chose. */
  readonly strangers: Pick<StreamingEgress, 'request'>
  /** The address of this installation. */
  readonly origin: () => string
  /** Says what else sends over a channel, such as `the status page "main"`. Throws while the database is away. */
  readonly usesOf: (channel: string) => Promise<readonly string[]>
}

/** What alerts look at, which is created after them. */
export interface AlertsWorld {
  readonly services: ServiceSource
  /** The slow look at the rest, as far as these rules are about it. */
  readonly facts: (rules: readonly AlertRule[]) => Promise<SlowFacts>
  readonly deciding: { isDeciding(): boolean; readonly transaction: Database['transaction'] }
}

export type Alerts = ReturnType<ReturnType<typeof createAlerts>['connect']>

/** Creates what has to be there before the installation's file is applied; `connect` creates the rest. */
export function createAlerts(options: AlertsOptions) {
  const { database, vault, egress, clock } = options
  const { now } = clock
  const store = createSettingsStore(database, vault)
  const settings = createAlertSettings({ ...options, store, now })

  /** Why nothing may be sent to an address; null where it may. */
  const refusalOf = async (url: string): Promise<string | null> =>
    (await egress.refusalOf(url)) === 'ADDRESS' ? 'ADDRESS' : null

  return {
    /** Returns the first field of a channel of the file that cannot be, and why; null where there is none. */
    channelProblem: (channel: AlertChannel) => channelProblem(channel, refusalOf),
    /** Whether operators have a channel of this name, and of this type if one is given. */
    hasChannel(name: string, type?: AlertChannel['type']): boolean {
      const channel = settings.findChannel(name)
      return channel !== null && (type === undefined || channel.type === type)
    },

    connect(world: AlertsWorld) {
      return connectAlerts(options, { world, settings, store, refusalOf })
    },
  }
}

interface Settled {
  readonly world: AlertsWorld
  readonly settings: ReturnType<typeof createAlertSettings>
  readonly store: ReturnType<typeof createSettingsStore>
  readonly refusalOf: (url: string) => Promise<string | null>
}

function connectAlerts(options: AlertsOptions, { world, settings, store, refusalOf }: Settled) {
  const { database, vault, clock, log, metrics, feed, egress, strangers, origin } = options
  const { now } = clock
  const alertStore = createAlertStore(database)
  const outboxStore = createOutboxStore(database)
  const { isDeciding, transaction } = world.deciding
  const { facts } = world
  const send = createSend({ egress, strangers, now, origin })
  const { count } = createAlertMetrics(metrics)
  const { findChannel } = settings
  const sending = { send, vault, now, log, findChannel, count }
  const sender = createDeliverySender({ ...sending, store: outboxStore, isSending: isDeciding })
  const engine = createEngine({
    store: alertStore,
    outbox: outboxStore,
    transaction,
    isDeciding,
    settings: settings.active,
    services: world.services,
    facts,
    now,
    log,
    stored: sender.wake,
  })
  feed.connect(engine.wake)
  const outage = createOutageWatch({
    ...sending,
    database,
    alerts: alertStore,
    outbox: outboxStore,
    settings: settings.active,
    isDeciding,
    stored: sender.wake,
  })
  const upkeep = createUpkeep({
    alerts: alertStore,
    outbox: outboxStore,
    metrics,
    isDue: isDeciding,
    now,
    log,
  })
  const changed = (): void => void engine.refresh()
  const seen = async (rules: readonly AlertRule[]) => {
    const watched = createWatchServices(world.services)
    await watched.load(now() - countedMs(rules))
    return { now: now(), services: watched.all(), facts: await facts(rules) }
  }
  const managing = { ...options, settings, store, alerts: alertStore, seen, send, refusalOf, now, changed }

  return {
    outbox: {
      async enqueue(sql, messages) {
        await outboxStore.insert(
          sql,
          messages.map((message) => deliveryOf(message, vault, now())),
        )
      },
      withdraw: (sql, orderBy) => outboxStore.withdraw(sql, orderBy.map(subjectOfOrder)),
      hasMailChannel: (name) => settings.findChannel(name)?.type === 'email',
      wake: sender.wake,
    } satisfies Outbox,
    /** The address of a channel of type `webhook`, for messages of other domains; null where there is none of this name. */
    webhookAddress(name: string): MessageAddress | null {
      const channel = settings.findChannel(name)
      return channel?.type === 'webhook'
        ? { kind: 'webhook', url: channel.url, secret: channel.secret }
        : null
    },
    firing: createManageFiring(managing),
    rules: createManageRules(managing),
    channels: createManageChannels(managing),
    silences: createManageSilences(managing),
    maintenance: createManageMaintenance(managing),
    deliveries: createManageDeliveries({ database, settings, now, wake: sender.wake }),

    start() {
      engine.start()
      sender.start()
      upkeep.start()
      outage.start()
    },
    async stop() {
      await outage.stop()
      await upkeep.stop()
      await engine.stop()
      await sender.stop()
    },
  }
}

const subjectOfOrder = (orderBy: string): string => `addressed\n${orderBy}`

const deliveryOf = (
  { id, orderBy, to, content, forMs }: AddressedMessage,
  vault: Vault,
  now: number,
): NewDelivery => ({
  id,
  channel: to.kind === 'email' ? to.channel : '',
  target: vault.seal(JSON.stringify({ to, content } satisfies SealedMessage), targetPlace(id)),
  subjects: [subjectOfOrder(orderBy)],
  content: { kind: 'addressed' },
  title: content.title,
  state: 'waiting',
  nextAt: now,
  createdAt: now,
  forMs,
})
