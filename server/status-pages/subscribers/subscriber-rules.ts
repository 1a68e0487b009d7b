import { createHmac } from 'node:crypto'

import { dayMs, hourMs } from '../../../shared/durations.ts'
import {
  type StatusPageSpec,
  type SubscriberKind,
  statusPageBounds,
  subscriberKinds,
} from '../../../shared/status-pages.ts'
import type { PageSubscriber, SubscriberHashes } from './subscriber-store.ts'

/** For how long a link confirms (ms). */
export const confirmableMs = dayMs

/** Messages that ask one mailbox, or the host of a webhook, for confirmation in a day, on all pages together. */
const mostAsksOfPlace: Readonly<Record<SubscriberKind, number>> = { email: 6, webhook: 20 }
/** The same, of one subscriber of one page. */
const mostAsks = 3

/** Returns the kinds of subscribers that a page wants; one that is not published wants none. */
export const wantedKinds = ({ published, emailChannel, webhooks }: StatusPageSpec): SubscriberKind[] =>
  subscriberKinds.filter(
    (kind) => published && (kind === 'email' ? emailChannel !== undefined : webhooks === true),
  )

/**
 * Returns whether a message may ask for confirmation: one an hour and three a day to each subscriber of a page, and not too many
 * of a page or to one place. Whoever has confirmed is told so instead, by the same rule, so that nobody sees a difference.
 */
export function askDecision(
  kind: SubscriberKind,
  known: Pick<PageSubscriber, 'askedAt' | 'asks'> | null,
  asked: { readonly page: number; readonly place: number },
  now: number,
): 'ask' | 'silent' | 'busy' {
  if (asked.page >= statusPageBounds.confirmations) return 'busy'
  if (asked.place >= mostAsksOfPlace[kind]) return 'silent'
  if (known === null) return 'ask'
  const age = now - known.askedAt
  return age >= dayMs || (age >= hourMs && known.asks < mostAsks) ? 'ask' : 'silent'
}

/** Returns how many messages have asked then. */
export const nextAsks = (known: Pick<PageSubscriber, 'askedAt' | 'asks'> | null, now: number): number =>
  known === null || now - known.askedAt >= dayMs ? 1 : known.asks + 1

/** Returns what a subscriber is found by. What stands behind a plus sign does not make another mailbox. */
export function subscriberHashes(hashKey: Buffer, kind: SubscriberKind, address: string): SubscriberHashes {
  const hash = (text: string): string => createHmac('sha256', hashKey).update(text).digest('hex')
  if (kind === 'webhook') {
    const url = new URL(address)
    return { address: hash(`webhook ${url.href}`), place: hash(`host ${url.hostname}`) }
  }
  const mailbox = address.toLowerCase().replace(/\+[^@]*@/, '@')
  return { address: hash(`email ${mailbox}`), place: hash(`mailbox ${mailbox}`) }
}
