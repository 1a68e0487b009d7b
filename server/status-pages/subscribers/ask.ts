import { randomBytes } from 'node:crypto'

import { dayMs, hourMs, minuteMs } from '../../../shared/durations.ts'
import { type StatusPageSpec, type SubscriberKind, statusPageBounds } from '../../../shared/status-pages.ts'
import type { Outbox } from '../../alerts/alerts.ts'
import type { Database, TransactionSql } from '../../platform/database.ts'
import { randomId } from '../../platform/ids.ts'
import { hashSecret, mintSecret } from '../../platform/secrets.ts'
import { tokenPrefixes } from '../../platform/token-prefixes.ts'
import { type PageAddress, addressedTo, subscribedPageOf } from './subscribed-page.ts'
import { confirmMessage, knownMessage } from './subscriber-messages.ts'
import { askDecision, nextAsks, subscriberHashes } from './subscriber-rules.ts'
import type { PageSubscriber, SubscriberStore } from './subscriber-store.ts'

export interface Asking {
  readonly spec: StatusPageSpec
  readonly kind: SubscriberKind
  readonly address: string
}

/** For how long it is tried to reach a webhook that nobody has confirmed (ms). */
const webhookAskMs = 15 * minuteMs

interface AskOptions extends PageAddress {
  readonly database: Database
  readonly store: SubscriberStore
  readonly outbox: Outbox
  readonly now: () => number
  readonly hashKey: Buffer
}

/**
 * Asks the owner of an address for confirmation, if there is nothing against it; `done` does not say whether it was. `full`,
 * `busy`: the page takes nobody at the moment, whoever asks.
 */
export function createAsk({ database, store, outbox, now, hashKey, origin }: AskOptions) {
  /** Puts the message into the outbox that asks for confirmation, or says that there is nothing to confirm. */
  async function send(
    sql: TransactionSql,
    { spec, kind }: Asking,
    subscriber: PageSubscriber,
    token: string,
  ) {
    const page = subscribedPageOf(spec, origin())
    const content =
      subscriber.confirmedAt === null
        ? confirmMessage(kind, page, token, now())
        : knownMessage(kind, page, subscriber.target.leave, now())
    const to = addressedTo(subscriber, spec.emailChannel ?? '')
    const message = { id: randomId('smc'), orderBy: subscriber.id, to, content }
    await outbox.enqueue(sql, [{ ...message, ...(kind === 'webhook' && { forMs: webhookAskMs }) }])
  }

  return async (asking: Asking): Promise<'done' | 'busy' | 'full'> => {
    const { spec, kind, address } = asking
    const token = mintSecret(tokenPrefixes.subscription)
    const hashes = subscriberHashes(hashKey, kind, address)
    const at = now()
    const outcome = await database.transaction(async (sql) => {
      await store.lock(sql, spec.page)
      if ((await store.countConfirmed(sql, spec.page)) >= statusPageBounds.subscribers) return 'full'
      const known = await store.find(sql, spec.page, kind, hashes.address)
      const since = { page: at - hourMs, place: at - dayMs }
      const asked = await store.countAsks(sql, spec.page, hashes.place, since)
      const decision = askDecision(kind, known, asked, at)
      if (decision !== 'ask') return decision
      const subscriber = {
        ...(known ?? newSubscriber(kind, address)),
        askedAt: at,
        asks: nextAsks(known, at),
      }
      await store.save(sql, spec.page, subscriber, {
        ...hashes,
        unsubscribe: hashSecret(subscriber.target.leave),
        confirm: subscriber.confirmedAt === null ? hashSecret(token) : null,
      })
      await send(sql, asking, subscriber, token)
      return 'ask'
    })
    if (outcome === 'ask') outbox.wake()
    return outcome === 'ask' || outcome === 'silent' ? 'done' : outcome
  }
}

const newSubscriber = (kind: SubscriberKind, address: string): PageSubscriber => ({
  id: randomId('sub'),
  kind,
  target: {
    address,
    leave: mintSecret(tokenPrefixes.subscription),
    ...(kind === 'webhook' && { secret: `whsec_${randomBytes(32).toString('base64')}` }),
  },
  confirmedAt: null,
  askedAt: 0,
  asks: 0,
})
