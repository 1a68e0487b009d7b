import type { StatusPageSpec } from '../../../shared/status-pages.ts'
import type { MessageAddress } from '../../alerts/alerts.ts'
import type { SubscribedPage } from './subscriber-messages.ts'
import type { PageSubscriber } from './subscriber-store.ts'

export interface PageAddress {
  /** Returns `scheme://host[:port]` of this installation. */
  readonly origin: () => string
}

/** Returns what messages say of a page. A host of its own is behind a proxy with https. */
export const subscribedPageOf = (
  { page, title, hosts: [host] }: StatusPageSpec,
  origin: string,
): SubscribedPage => ({
  page,
  title,
  base: host === undefined ? origin : `https://${host}`,
})

/** Returns where the outbox sends messages for a subscriber. */
export const addressedTo = (
  { kind, target }: Pick<PageSubscriber, 'kind' | 'target'>,
  channel: string,
): MessageAddress =>
  kind === 'email'
    ? { kind, channel, address: target.address }
    : { kind, url: target.address, secret: target.secret ?? '', isStranger: true }
