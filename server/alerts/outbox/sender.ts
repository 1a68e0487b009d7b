import type { AlertChannel } from '../../../shared/alert-channels.ts'
import type { Log } from '../../platform/log.ts'
import { type PeriodicJob, createPeriodicJob } from '../../platform/periodic-job.ts'
import type { SealedColumn } from '../../platform/resealing.ts'
import { createSerialRuns } from '../../platform/serial-runs.ts'
import type { Vault } from '../../platform/vault.ts'
import type { SealedMessage } from './addressed-message.ts'
import { channelPauseMs, deliveryBackOffMs } from './back-off.ts'
import type { DueDelivery, OutboxStore, SettledAttempt } from './outbox-store.ts'
import type { Send, SendResult } from './send.ts'

/** Messages under way at once: of this process, to one channel, to one that failed last, and of webhooks of other domains. */
const slots = { all: 128, ofChannel: 16, ofFailing: 1, addressed: 64 } as const
const lookEveryMs = 1_000

export interface DeliverySenderOptions {
  readonly store: Pick<OutboxStore, 'due' | 'settle'>
  readonly send: Send
  readonly vault: Pick<Vault, 'open'>
  /** Epoch ms of a steady clock. */
  readonly now: () => number
  readonly log: Log
  /** Whether this process is the one that sends. */
  readonly isSending: () => boolean
  /** The channel of a name with its secrets, as it is now; null where there is none. */
  readonly findChannel: (name: string) => AlertChannel | null
  /** Is told of each attempt, with the type of the channel (`addressed` for webhooks of other domains). */
  readonly count: (type: AlertChannel['type'] | 'addressed', outcome: 'sent' | 'failed' | 'dead') => void
}

type Attempted = SettledAttempt & Pick<SendResult, 'isRefused' | 'retryAfterMs'>

/** The name under which the target of a delivery is sealed. */
export const targetPlace = (id: string): string => `deliveries ${id} target`

export const sealedTargets: SealedColumn = {
  table: 'deliveries',
  column: 'target',
  key: 'id',
  place: targetPlace,
}

/**
 * Sends what is due, again and again until it is taken or a day has passed. What waits is in the database alone: a process
 * that dies loses nothing, and sends again under the same id what it had sent without noting it.
 */
export function createDeliverySender(options: DeliverySenderOptions) {
  const { store, now, log, isSending } = options
  const attempt = createAttempt(options)
  /** The channels of the deliveries that are under way, or done and not noted yet. */
  const taken = new Map<string, string>()
  /** The channels that failed last, and when they are left alone. Instants are epoch ms. */
  const failing = new Map<string, { readonly from: number; readonly until: number }>()
  /** What was read and is next at channels that take it: not every look has to read what waits. */
  let ready: DueDelivery[] = []
  let settled: SettledAttempt[] = []
  let isStopped = false

  function isPaused(channel: string): boolean {
    const paused = failing.get(channel)
    // One that begins later than now is of a clock that was set back since.
    return paused !== undefined && paused.from <= now() && now() < paused.until
  }

  const slotsOf = (channel: string): number => {
    if (channel === '') return slots.addressed
    if (isPaused(channel)) return 0
    return failing.has(channel) ? slots.ofFailing : slots.ofChannel
  }

  function takenOf(channel: string): number {
    let count = 0
    for (const other of taken.values()) if (other === channel) count++
    return count
  }

  /** Notes what was sent. While the database is away it waits here, and is not sent again by this process. */
  async function note(): Promise<void> {
    const noted = settled
    settled = []
    if (noted.length === 0) return
    try {
      await store.settle(noted)
    } catch (error) {
      settled = [...noted, ...settled]
      throw error
    }
    for (const { id } of noted) taken.delete(id)
  }

  function pause(channel: string, { at, retryAfterMs }: Pick<Attempted, 'at' | 'retryAfterMs'>): void {
    const before = isPaused(channel) ? (failing.get(channel)?.until ?? 0) : 0
    failing.set(channel, { from: at, until: Math.max(before, at + channelPauseMs(retryAfterMs)) })
    ready = ready.filter((delivery) => delivery.channel !== channel)
  }

  async function begin(delivery: DueDelivery): Promise<void> {
    taken.set(delivery.id, delivery.channel)
    const done = await attempt(delivery)
    if (isStopped) return
    if (done.state === 'sent') {
      // What was under way when another one failed does not end the pause that the receiver asked for.
      if (!isPaused(delivery.channel)) failing.delete(delivery.channel)
    } else if (!done.isRefused) pause(delivery.channel, done)
    settled.push(done)
    pump()
  }

  /** Begins what is ready as far as there are slots, and keeps the rest for channels that take what they get. */
  function beginReady(): void {
    ready = ready.filter((delivery) => {
      const hasSlot = taken.size < slots.all && takenOf(delivery.channel) < slotsOf(delivery.channel)
      if (hasSlot) void begin(delivery)
      return !hasSlot && !failing.has(delivery.channel)
    })
  }

  const { run, settled: idle } = createSerialRuns(async () => {
    await note()
    if (isStopped || !isSending()) {
      ready = []
      return
    }
    beginReady()
    const free = slots.all - taken.size
    if (free <= 0) return
    const full = [...new Set([...taken.values(), ...failing.keys()])].filter(
      (channel) => takenOf(channel) >= slotsOf(channel),
    )
    const due = await store.due(now(), {
      limit: free,
      ofChannel: slots.addressed,
      without: taken.keys(),
      notTo: [...full, ...new Set(ready.map(({ channel }) => channel))],
    })
    ready.push(...due)
    beginReady()
  })

  const pump = (): void =>
    void run().catch((error: unknown) => log.warn('messages wait: the database does not answer', { error }))

  const looking: PeriodicJob = createPeriodicJob(lookEveryMs, run, (error) =>
    log.warn('messages wait: the database does not answer', { error }),
  )

  return {
    /** Looks now for what is due. */
    wake: pump,
    start: () => looking.start(),
    /** Notes what was answered, and leaves to the next process what was not. */
    async stop(): Promise<void> {
      await looking.stop()
      await idle()
      isStopped = true
      await note().catch((error: unknown) =>
        log.warn('messages that were sent could not be noted', { error }),
      )
    },
  }
}

/** Creates the function that makes one attempt and says what is to come of it. It never rejects. */
export function createAttempt({
  send,
  vault,
  now,
  findChannel,
  count,
}: Pick<DeliverySenderOptions, 'send' | 'vault' | 'now' | 'findChannel' | 'count'>) {
  async function sendOne(delivery: DueDelivery, channel: AlertChannel | null): Promise<SendResult> {
    const { id, target, content, createdAt } = delivery
    try {
      if (content.kind === 'addressed') {
        const message = JSON.parse(vault.open(target ?? '', targetPlace(id))) as SealedMessage
        return await send.addressed(id, message, channel)
      }
      if (channel === null) return failedBecause('there is no channel of this name any more')
      return await send.notice(channel, { id, events: content.events, createdAt })
    } catch (error) {
      return failedBecause(error instanceof Error ? error.message : 'it could not be written')
    }
  }

  return async (delivery: DueDelivery): Promise<Attempted> => {
    const { id, attempts, giveUpAt } = delivery
    const channel = delivery.channel === '' ? null : findChannel(delivery.channel)
    const startedAt = now()
    const { ok, answer, retryAfterMs, isRefused } = await sendOne(delivery, channel)
    const at = now()
    const nextAt = Math.min(giveUpAt, at + deliveryBackOffMs(attempts + 1, retryAfterMs, Math.random()))
    const state = ok ? 'sent' : isRefused || at >= giveUpAt ? 'dead' : 'waiting'
    count(channel?.type ?? 'addressed', state === 'waiting' ? 'failed' : state)
    return { id, at, tookMs: Math.max(0, at - startedAt), answer, state, nextAt, isRefused, retryAfterMs }
  }
}

const failedBecause = (answer: string): SendResult => ({
  ok: false,
  answer,
  retryAfterMs: null,
  isRefused: false,
})
