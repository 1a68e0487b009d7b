import { dayMs } from '../../shared/durations.ts'
import {
  AlertChannel,
  type AlertChannelChange,
  type ChannelTestResult,
  type ChannelView,
  type CreatedChannel,
  type NewAlertChannel,
} from '../../shared/alert-channels.ts'
import type { ChangedBy } from '../audit/audit.ts'
import type { Database } from '../platform/database.ts'
import { fault } from '../platform/fault.ts'
import { randomHex, randomId } from '../platform/ids.ts'
import type { AlertEvent } from './alert-event.ts'
import { movedSecret } from './channels/kept-secret.ts'
import { guardedMailUrl } from './outbox/send-mail.ts'
import type { Send } from './outbox/send.ts'
import { privateAddressText, privateHostOf } from '../platform/egress/private-address.ts'
import { type AlertSettings, type Managed, requireFree, requireOwn } from './settings.ts'
import type { SettingsStore } from './settings-store.ts'

export interface ManageChannelsOptions {
  readonly database: Database
  readonly settings: AlertSettings
  readonly store: SettingsStore
  readonly send: Pick<Send, 'notice'>
  /** Why nothing may be sent to an address; null where it may. */
  readonly refusalOf: (url: string) => Promise<string | null>
  readonly now: () => number
  readonly usesOf: (channel: string) => Promise<readonly string[]>
  /** Channels are other ones. */
  readonly changed: () => void
}

const word = 'channel'

const subjectOf = (id: string) => ({ kind: 'channel', id }) as const

/** What operators do with channels. */
export function createManageChannels(options: ManageChannelsOptions) {
  const { settings, store, send, now, changed } = options

  async function requireReachable(channel: AlertChannel): Promise<void> {
    const problem = await channelProblem(channel, options.refusalOf)
    if (problem === null) return
    const { field, ...why } = problem
    throw fault('invalid_request', `${field}: ${why.message}`, { fields: [{ path: [field], ...why }] })
  }

  /** Throws the fault `conflict` while something names the channel: fewer people or nobody would be told without a word. */
  async function requireUnused(name: string): Promise<void> {
    const rules = [...settings.rules().values()].filter(({ item }) => item.channels.includes(name))
    const uses = [...rules.map(({ item }) => `the rule "${item.name}"`), ...(await options.usesOf(name))]
    if (uses.length === 0) return
    const whose = `${uses.join(', ')} ${uses.length === 1 ? 'names' : 'name'}`.replace(/^t/, 'T')
    throw fault('conflict', `${whose} this channel: take it out there before you delete it`)
  }

  return {
    async list(): Promise<ChannelView[]> {
      const counts = await countDeliveries(options.database, now())
      return [...settings.channels().values()].map((one) => ({
        ...viewOf(one),
        ...(counts.get(one.item.name) ?? none),
      }))
    },

    /** All that a channel is made of, secrets among it, to tell whether it is another one now. Null where there is none. */
    whole: (name: string): Managed<AlertChannel> | null => settings.channels().get(name) ?? null,

    /** Faults: `conflict`, `invalid_request` for an address that may not be reached. */
    async create(given: NewAlertChannel, by: ChangedBy): Promise<CreatedChannel> {
      requireFree(settings.channels(), given.name, word)
      const made = given.type === 'webhook' && given.secret === undefined ? newSecret() : null
      const channel = AlertChannel.parse(made === null ? given : { ...given, secret: made })
      await requireReachable(channel)
      const what = {
        action: 'channel.create',
        subject: subjectOf(channel.name),
        after: factsOf(channel),
      } as const
      await settings.change(by, what, (sql) => store.putChannel(sql, channel, now()))
      changed()
      return { name: channel.name, secret: made }
    },

    /** Faults: `not_found`, `conflict`, `invalid_request`. */
    async update({ quietHours, ...change }: AlertChannelChange, by: ChangedBy): Promise<void> {
      const { item: before } = requireOwn(settings.channels(), change.name, word)
      if (before.type !== change.type)
        throw fault('invalid_request', `type: this channel is one of type ${before.type}`)
      requireStayingSecret(before, change)
      const hours = quietHours === undefined ? before.quietHours : (quietHours ?? undefined)
      const { quietHours: _, ...kept } = before
      const channel = AlertChannel.parse({ ...kept, ...change, ...(hours && { quietHours: hours }) })
      await requireReachable(channel)
      const facts = { before: factsOf(before), after: factsOf(channel) }
      const what = { action: 'channel.update', subject: subjectOf(channel.name), ...facts } as const
      await settings.change(by, what, (sql) => store.putChannel(sql, channel, now()))
      changed()
    },

    /** Messages that wait for it are tried until a day has passed, in case it comes back. Faults: `not_found`, `conflict`. */
    async remove(name: string, by: ChangedBy): Promise<void> {
      const { item } = requireOwn(settings.channels(), name, word)
      await requireUnused(name)
      const what = { action: 'channel.delete', subject: subjectOf(name), before: factsOf(item) } as const
      await settings.change(by, what, (sql) => store.removeNamed(sql, 'alert_channels', name))
      changed()
    },

    /** Sends a test message at once. Faults: `not_found`. */
    async test(name: string, by: ChangedBy): Promise<ChannelTestResult> {
      const channel = settings.findChannel(name)
      if (channel === null) throw fault('not_found', 'There is no channel of this name')
      const startedAt = now()
      const notice = { id: randomId('msg'), events: [testEvent(name, startedAt)], createdAt: startedAt }
      const { ok, answer } = await send.notice(channel, notice)
      await settings.change(by, { action: 'channel.test', subject: subjectOf(name), after: { ok } }, () =>
        Promise.resolve(),
      )
      return { ok, answer, tookMs: Math.max(0, Math.round(now() - startedAt)) }
    },
  }
}

/** Returns the field of a channel whose address may not be reached, and why; null where nothing forbids it. */
export async function channelProblem(
  channel: AlertChannel,
  refusalOf: (url: string) => Promise<string | null>,
): Promise<{ field: string; message: string; privateHost?: string } | null> {
  const field = channel.type === 'email' ? 'smtp' : 'url'
  const url = channel.type === 'email' ? guardedMailUrl(channel.smtp) : channel.url
  if ((await refusalOf(url)) === null) return null
  return { field, message: privateAddressText(url), ...privateHostOf(url) }
}

/** Throws the fault `invalid_request` where a secret would go to another address than it was given for. */
function requireStayingSecret(before: AlertChannel, change: AlertChannelChange): void {
  const field = movedSecret(before, change)
  if (field === null) return
  const message = 'give it again: it is not sent to another address unasked'
  throw fault('invalid_request', `${field}: ${message}`, { fields: [{ path: [field], message }] })
}

const newSecret = (): string => `whsec_${Buffer.from(randomHex(32), 'hex').toString('base64')}`

const testEvent = (channel: string, now: number): AlertEvent => ({
  type: 'test',
  at: now,
  alert: 'Test',
  alertId: randomId('alert'),
  status: 'firing',
  severity: 'info',
  summary: `This is a test of the channel ${channel}`,
  subject: { kind: 'installation', id: 'test', name: 'Test' },
  since: now,
  data: { name: 'Test' },
  incident: null,
  endsIncident: false,
})

const none = { sent: 0, waiting: 0, dead: 0, lastSentAt: null }

/** Where a channel goes, for people, without what is secret. */
export function channelTarget(channel: AlertChannel): string {
  switch (channel.type) {
    case 'telegram':
      return channel.chat
    case 'email':
      return channel.to.length === 0 ? new URL(channel.smtp).host : channel.to.join(', ')
    default:
      return new URL(channel.url).origin
  }
}

function viewOf({ item, managedBy }: Managed<AlertChannel>) {
  const { name, type, quietHours } = item
  return {
    name,
    type,
    managedBy: managedBy === 'file' ? managedBy : ('operator' as const),
    target: channelTarget(item),
    quietHours: quietHours ?? null,
    settings: settingsOf(item),
  }
}

/** What can be edited and is not secret. */
function settingsOf(channel: AlertChannel): ChannelView['settings'] {
  if (channel.type === 'telegram') return { chat: channel.chat }
  if (channel.type === 'email') return { from: channel.from, to: channel.to }
  return channel.type === 'alertmanager' && channel.user !== undefined ? { user: channel.user } : {}
}

const factsOf = (channel: AlertChannel) => ({ type: channel.type, target: channelTarget(channel) })

interface Counts {
  readonly sent: number
  readonly waiting: number
  readonly dead: number
  readonly lastSentAt: number | null
}

const monthMs = 30 * dayMs

async function countDeliveries(database: Database, now: number): Promise<Map<string, Counts>> {
  const rows = await database.run(
    (sql) => sql<{ channel: string; sent: number; waiting: number; dead: number; last: Date | null }[]>`
      SELECT channel, count(*) FILTER (WHERE state = 'sent')::int AS sent,
        count(*) FILTER (WHERE state IN ('waiting', 'gathering'))::int AS waiting,
        count(*) FILTER (WHERE state = 'dead')::int AS dead,
        max(done_at) FILTER (WHERE state = 'sent') AS last
      FROM deliveries WHERE created_at > ${new Date(now - monthMs)} GROUP BY channel`,
  )
  return new Map(
    rows.map(({ channel, last, ...counts }) => [channel, { ...counts, lastSentAt: last?.getTime() ?? null }]),
  )
}
