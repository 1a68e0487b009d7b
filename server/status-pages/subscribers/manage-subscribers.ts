import {
  type ExportedSubscriber,
  type SubscriberCounts,
  statusPageBounds,
  subscriberKinds,
} from '../../../shared/status-pages.ts'
import type { Database, TransactionSql } from '../../platform/database.ts'
import { fault } from '../../platform/fault.ts'
import type { RecordStatusChange } from '../status-page-event.ts'
import { subscriberHashes } from './subscriber-rules.ts'
import type { SubscriberStore } from './subscriber-store.ts'

interface ManageSubscribersOptions {
  readonly database: Database
  readonly store: SubscriberStore
  readonly hashKey: Buffer
  readonly now: () => number
  /** Takes back what waits for those who were removed, and returns how many they are. */
  readonly forget: (sql: TransactionSql, ids: readonly string[]) => Promise<number>
}

/** What operators see of subscribers, and the removal of one who asks for it. No address is in an audit entry. */
export function createManageSubscribers(options: ManageSubscribersOptions) {
  const { database, store, hashKey, now, forget } = options
  return {
    /** Of every page that has subscribers. */
    subscriberCounts: (): Promise<SubscriberCounts[]> => store.counts(),

    /** Returns the addresses of a page, with an audit entry: they are personal data. */
    exportSubscribers: (page: string, record: RecordStatusChange): Promise<ExportedSubscriber[]> =>
      database.transaction(async (sql) => {
        const asked = { id: '', before: now(), limit: statusPageBounds.subscribers }
        const all = await store.confirmedAfter(sql, page, asked)
        const subject = { kind: 'status_page', id: page } as const
        await record(sql, { action: 'status_page.export_subscribers', subject, after: { count: all.length } })
        return all.map(({ kind, target, confirmedAt }) => ({
          kind,
          address: target.address,
          confirmedAt: confirmedAt ?? 0,
        }))
      }),

    /** Fault: `not_found`. */
    removeSubscriber: (page: string, given: string, record: RecordStatusChange): Promise<void> =>
      database.transaction(async (sql) => {
        const address = given.trim()
        const kinds = subscriberKinds.filter((kind) => kind === 'email' || URL.canParse(address))
        const hashes = kinds.map((kind) => subscriberHashes(hashKey, kind, address).address)
        if ((await forget(sql, await store.removeByAddress(sql, page, hashes))) === 0)
          throw fault('not_found', 'address: nobody is subscribed to this page with it')
        const subject = { kind: 'status_page', id: page } as const
        await record(sql, { action: 'status_page.remove_subscriber', subject })
      }),
  }
}
