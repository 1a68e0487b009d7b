/**
 * Subscribers of public pages: mailboxes and webhooks of people without an account, who are told of what operators write.
 *
 * 1. `subscriber-routes.ts` takes the form of a page, after the limit of its caller's address and before anything else.
 * 2. `ask.ts` stores the subscriber with the hash of a token and puts a message with a link into the outbox of alerts, if
 *    `subscriber-rules.ts` allows one. The answer is the same for who is subscribed and who is not.
 * 3. The link opens a page with a button, so that programs which open the links of mails confirm nothing; its POST confirms.
 * 4. `announcements.ts` is told of an incident or update in the transaction of the change, and hands a message for each
 *    subscriber to the outbox, `subscriber-messages.ts` has the words. Each has a link that unsubscribes by POST (RFC 8058).
 * `manage-subscribers.ts` is what operators do.
 *
 * Decisions. Subscribers are told of what operators write, not of what was seen: a service that flaps would mail thousands. A
 * webhook is confirmed like a mailbox, by the link in a signed event (as Amazon SNS does it), because many servers answer 2xx
 * to anything, and those of Slack or Zapier cannot answer a challenge; so the form also tells nobody what a URL answers. Only
 * https to public addresses is sent to. Addresses are sealed, found again by hashes, and in no log or audit entry. A page that
 * is not published any more, or offers no subscription of a kind, removes those subscribers at once; what is gone from the
 * file removes them after a week, because a file may be wrong for a while.
 *
 * Known limitations: mails that bounce after the mail server took them are not noticed. Who comes from many addresses can use
 * up the 100 confirmations that a page may ask for in an hour. A host of a page is taken to be reached by https.
 */
import { dayMs, minuteMs } from '../../../shared/durations.ts'
import {
  type StatusPageSpec,
  type SubscriberKind,
  statusPageBounds,
  subscriberKinds,
} from '../../../shared/status-pages.ts'
import type { Outbox } from '../../alerts/alerts.ts'
import type { Database, TransactionSql } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import { createPeriodicJob } from '../../platform/periodic-job.ts'
import { hashSecret } from '../../platform/secrets.ts'
import type { Vault } from '../../platform/vault.ts'
import { createAnnouncements } from './announcements.ts'
import { createAsk } from './ask.ts'
import { createManageSubscribers } from './manage-subscribers.ts'
import { confirmableMs, wantedKinds } from './subscriber-rules.ts'
import { createSubscriberStore } from './subscriber-store.ts'

export interface SubscribersOptions {
  readonly database: Database
  readonly vault: Vault
  readonly outbox: Outbox
  readonly log: Log
  readonly now: () => number
  /** With which addresses are hashed; the same in every process. */
  readonly hashKey: Buffer
  /** Returns `scheme://host[:port]` of this installation. */
  readonly origin: () => string
  readonly pages: () => readonly StatusPageSpec[]
  readonly nameOf: (spec: StatusPageSpec, serviceId: string) => string | null
}

/** For how long a subscriber is kept whom no page wants (ms). */
const goneForMs = 7 * dayMs
const lookEveryMs = 2_000
const cleanEveryMs = 10 * minuteMs

export type PageSubscribers = ReturnType<typeof createSubscribers>

export function createSubscribers(options: SubscribersOptions) {
  const { database, vault, outbox, log, hashKey, pages } = options
  const now = (): number => Math.floor(options.now())
  const store = createSubscriberStore(database, vault)
  const pageOf = (page: string): StatusPageSpec | null =>
    pages().find((spec) => spec.page === page && spec.published) ?? null
  const announcements = createAnnouncements({ ...options, now, store })

  /** The kinds by which one can subscribe now: mails need their channel. */
  const offered = (spec: StatusPageSpec): SubscriberKind[] =>
    wantedKinds(spec).filter((kind) => kind === 'webhook' || outbox.hasMailChannel(spec.emailChannel ?? ''))

  async function forget(sql: TransactionSql, ids: readonly string[]): Promise<number> {
    if (ids.length > 0) await outbox.withdraw(sql, ids)
    return ids.length
  }

  async function clean(): Promise<void> {
    const wanted = pages().flatMap((spec) => wantedKinds(spec).map((kind) => `${spec.page} ${kind}`))
    await database.transaction(async (sql) => {
      await store.noteWanted(sql, wanted, now())
      await forget(
        sql,
        await store.removeStale(sql, { asked: now() - confirmableMs, gone: now() - goneForMs }),
      )
      await announcements.dropOld(sql)
    })
  }

  const failed = (error: unknown): void => log.warn('subscribers of status pages wait', { error })
  const handing = createPeriodicJob(lookEveryMs, announcements.handOnAll, failed)
  const cleaning = createPeriodicJob(cleanEveryMs, clean, failed)

  return {
    pageOf,
    offered,
    announce: announcements.announce,
    /** Hands to the outbox now what was announced, and returns when it is there. */
    handOn: handing.run,
    /** Removes, in the transaction of a change, who cannot be subscribed to a page any more; null: the page is gone. */
    async keepWanted(sql: TransactionSql, page: string, spec: StatusPageSpec | null): Promise<void> {
      const wanted = spec === null ? [] : wantedKinds(spec)
      const unwanted = subscriberKinds.filter((kind) => !wanted.includes(kind))
      await forget(sql, await store.removeKinds(sql, page, unwanted))
    },

    ask: createAsk({ ...options, now, store }),

    /** Whether a link still confirms. */
    isConfirmable: (page: string, token: string): Promise<boolean> =>
      database.run(
        async (sql) => (await store.findAsked(sql, page, hashSecret(token), now() - confirmableMs)) !== null,
      ),

    /** Confirms, once. Null: the link has ended or never was one. `secret`: of a webhook, shown this once. */
    confirm: (
      page: string,
      token: string,
    ): Promise<{ readonly kind: SubscriberKind; readonly secret: string | null } | 'full' | null> =>
      database.transaction(async (sql) => {
        await store.lock(sql, page)
        const found = await store.findAsked(sql, page, hashSecret(token), now() - confirmableMs)
        if (found === null) return null
        if ((await store.countConfirmed(sql, page)) >= statusPageBounds.subscribers) return 'full'
        await store.confirm(sql, found.id, now())
        return { kind: found.kind, secret: found.target.secret ?? null }
      }),

    /** Removes who has this token; there may be nobody any more. */
    async unsubscribe(page: string, token: string): Promise<void> {
      await database.transaction(async (sql) =>
        forget(sql, await store.removeByToken(sql, page, hashSecret(token))),
      )
    },

    operators: createManageSubscribers({ database, store, hashKey, now, forget }),

    start() {
      handing.start()
      cleaning.start()
    },
    async stop(): Promise<void> {
      await cleaning.stop()
      await handing.stop()
    },
  }
}
