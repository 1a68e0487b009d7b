import { minuteMs, secondMs } from '../../shared/durations.ts'
import type { Database } from '../platform/database.ts'
import { randomId } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import { type PeriodicJob, createPeriodicJob } from '../platform/periodic-job.ts'
import type { AlertStore } from './alert-store.ts'
import { composeMessages } from './decide/compose-messages.ts'
import { type Decided, decideAlerts } from './decide/decide.ts'
import type { OpenAlert } from './decide/open-alert.ts'
import { noFacts } from './decide/watched.ts'
import type { EngineOptions } from './engine.ts'
import type { NewDelivery, OutboxStore, SettledAttempt } from './outbox/outbox-store.ts'
import { type DeliverySenderOptions, createAttempt } from './outbox/sender.ts'

interface OutageOptions
  extends
    Pick<EngineOptions, 'settings' | 'isDeciding'>,
    Pick<DeliverySenderOptions, 'send' | 'vault' | 'findChannel' | 'count'> {
  readonly database: Pick<Database, 'isReachable' | 'transaction'>
  readonly alerts: Pick<AlertStore, 'save' | 'end'>
  readonly outbox: Pick<OutboxStore, 'insert' | 'settle'>
  /** Epoch ms of a steady clock. */
  readonly now: () => number
  readonly log: Log
  /** Messages may be due. */
  readonly stored: () => void
}

/** A message that is sent from memory, with what became of it. */
interface DirectMessage {
  readonly delivery: NewDelivery
  readonly attempts: SettledAttempt[]
}

const lookEveryMs = 2 * secondMs
/** What was taken is stored as waiting and noted right after that: so long (ms) nobody else sends it. */
const notedWithinMs = minuteMs
const trouble = {
  kind: 'database',
  text: 'The database does not answer, and other alerts wait for it',
} as const

/**
 * Tells that the database is away, which the outbox cannot, because it is in it. One process does, the one that decides, which
 * goes on to while nobody can take the lease from it. Rules, silences and channels are those in memory; messages are sent from
 * there, and put into the outbox with their attempts when the database is back: what was not taken is sent from there under
 * the same id, and after it that the outage is over.
 */
export function createOutageWatch(options: OutageOptions): PeriodicJob {
  const { database, isDeciding, settings, now, log } = options
  const attempt = createAttempt(options)
  let awaySince: number | null = null
  let alerts: Decided['alerts'] = new Map()
  let messages: DirectMessage[] = []
  let ended: OpenAlert[] = []

  function decide(): void {
    const { quietHoursOf, ...active } = settings()
    const rules = active.rules.filter(
      ({ when }) => 'installation' in when && when.installation.includes('database'),
    )
    const at = now()
    const decided = decideAlerts(alerts, {
      ...active,
      rules,
      now: at,
      services: new Map(),
      facts: { ...noFacts, troubles: awaySince === null ? [] : [{ ...trouble, since: awaySince }] },
      only: null,
      newId: () => randomId('alert'),
    })
    const composed = composeMessages(decided.told, {
      now: at,
      groups: new Map(),
      alerts: decided.alerts,
      quietHoursOf,
      newId: () => randomId('msg'),
    })
    alerts = composed.alerts
    ended.push(...decided.ended)
    messages.push(...composed.inserts.map((delivery) => ({ delivery, attempts: [] })))
  }

  /** Sends the oldest message of each channel that was not taken, if it is due. */
  async function sendDue(): Promise<void> {
    const untaken = messages.filter(({ attempts }) => isWaiting(attempts))
    const first = new Map(untaken.toReversed().map((message) => [message.delivery.channel, message]))
    const due = [...first.values()].filter((message) => nextAtOf(message) <= now())
    await Promise.all(
      due.map(async ({ delivery, attempts }) => {
        const {
          isRefused: _,
          retryAfterMs: _asked,
          ...settled
        } = await attempt({
          ...delivery,
          attempts: attempts.length,
          giveUpAt: Number.POSITIVE_INFINITY,
        })
        attempts.push(settled)
      }),
    )
  }

  async function handOver(): Promise<void> {
    const handed = messages
    if (handed.length === 0 && ended.length === 0) return
    const at = now()
    await database.transaction(async (sql) => {
      await options.alerts.save(sql, ended)
      await options.alerts.end(sql, ended, [], at)
      await options.outbox.insert(
        sql,
        handed.map(({ delivery, attempts }) => ({
          ...delivery,
          state: 'waiting',
          nextAt: attempts.length === 0 ? delivery.nextAt : at + notedWithinMs,
        })),
      )
    })
    messages = []
    ended = []
    for (const { attempts } of handed) for (const one of attempts) await options.outbox.settle([one])
    options.stored()
  }

  async function look(): Promise<void> {
    const isBack = await database.isReachable()
    awaySince = isBack ? null : (awaySince ?? now())
    if (alerts.size > 0 || (!isBack && isDeciding())) decide()
    await (isBack ? handOver() : sendDue())
  }

  return createPeriodicJob(lookEveryMs, look, (error) =>
    log.warn('what was told of the database waits to be stored', { error }),
  )
}

const isWaiting = (attempts: readonly SettledAttempt[]): boolean =>
  (attempts.at(-1)?.state ?? 'waiting') === 'waiting'

const nextAtOf = ({ delivery, attempts }: DirectMessage): number => attempts.at(-1)?.nextAt ?? delivery.nextAt
