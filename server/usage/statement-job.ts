import { createHash } from 'node:crypto'

import { programActor } from '../../shared/audit.ts'
import { minuteMs } from '../../shared/durations.ts'
import { monthAfter, monthBefore } from '../../shared/months.ts'
import type { MessageAddress, Outbox } from '../alerts/alerts.ts'
import type { Audit } from '../audit/audit.ts'
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import { type PeriodicJob, createPeriodicJob } from '../platform/periodic-job.ts'
import { readStatement } from './statement.ts'
import type { Usage } from './usage.ts'

/** What sends statements, and remembers that it did. */
export interface StatementWorld {
  readonly outbox: Pick<Outbox, 'enqueue' | 'wake'>
  /** The address of a channel of the type webhook; null where there is none of this name. */
  readonly webhookAddress: (channel: string) => MessageAddress | null
  readonly audit: Pick<Audit, 'list' | 'record'>
  /** One process does the work of all, in transactions that are rolled back where it is another one by then. */
  readonly deciding: { isDeciding(): boolean; readonly transaction: Database['transaction'] }
  /** The names of the channels that the file says. */
  readonly channels: () => readonly string[]
  readonly namesOf: (accountIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

interface StatementJobOptions extends StatementWorld {
  readonly usage: Pick<Usage, 'statistics' | 'accountSums'>
  /** Epoch ms. */
  readonly now: () => number
  readonly log: Log
}

/** Accounts whose statements are handed over in one transaction. */
const batch = 50
const lookEveryMs = 10 * minuteMs
const subject = 'installation'

/**
 * Sends the statement of each account that used something in a month, once the month is over and rolled up: a webhook
 * `account.statement` to each channel of the file. The audit log remembers that a month is done. Where the process dies before
 * that, all of it is handed over again under the same ids, which the outbox takes once.
 */
export function createStatementJob(options: StatementJobOptions): PeriodicJob {
  const { usage, outbox, webhookAddress, audit, deciding, channels, namesOf, now, log } = options

  async function isDone(month: string): Promise<boolean> {
    const asked = { action: 'statement.send', subjectKind: subject, subjectId: month, limit: 1 } as const
    return (await audit.list(asked)).events.length > 0
  }

  async function messagesFor(month: string, accountIds: readonly string[], timestamp: string) {
    const names = await namesOf(accountIds)
    const messages = []
    for (const account of accountIds) {
      const statement = await readStatement(usage.statistics, account, month)
      const name = names.get(account) ?? null
      const body = JSON.stringify({
        type: 'account.statement',
        timestamp,
        data: { account, name, ...statement },
      })
      for (const channel of channels()) {
        const to = webhookAddress(channel)
        if (to === null) continue
        messages.push({
          id: idOf(month, account, channel),
          orderBy: `statement ${account}`,
          to,
          content: { title: `Statement of ${month} for ${name ?? account}`, body },
        })
      }
    }
    return messages
  }

  async function send(month: string, from: number, to: number): Promise<void> {
    const timestamp = new Date(to).toISOString()
    let count = 0
    for (let after: string | undefined = ''; after !== undefined;) {
      const accounts = await usage.accountSums.sumsBetween({ from, to, after, limit: batch })
      const ids = accounts.map(({ accountId }) => accountId)
      const messages = await messagesFor(month, ids, timestamp)
      await deciding.transaction((sql) => outbox.enqueue(sql, messages))
      count += ids.length
      after = ids.length < batch ? undefined : ids.at(-1)
    }
    await deciding.transaction((sql) => audit.record(sql, sentEntry(month, count, channels())))
    outbox.wake()
  }

  async function work(): Promise<void> {
    if (!deciding.isDeciding() || channels().length === 0) return
    const month = monthBefore(now())
    const to = Date.parse(monthAfter(month))
    if ((await usage.accountSums.daysClosedBefore()) < to || (await isDone(month))) return
    await send(month, Date.parse(month), to)
  }

  return createPeriodicJob(lookEveryMs, work, (error) =>
    log.warn('statements of the last month wait for the next attempt', { error }),
  )
}

/** The same at each attempt; names of channels may be longer than an id. */
const idOf = (...parts: readonly string[]): string =>
  `stm_${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)}`

const sentEntry = (month: string, accounts: number, channels: readonly string[]) => ({
  actor: programActor,
  action: 'statement.send' as const,
  subject: { kind: subject, id: month } as const,
  after: { accounts, channels: [...channels] },
  ip: null,
  requestId: null,
})
