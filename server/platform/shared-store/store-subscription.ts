import { createStoreLink } from './store-link.ts'

/** Hears one channel of the store. What is sent while it is not connected is lost. */
export interface StoreSubscription {
  /** Makes the connection anew: for whoever notices that nothing comes any more. */
  renew(reason: string): void
  close(): void
}

interface StoreSubscriptionOptions {
  readonly url: string
  readonly deadlineMs: number
  readonly channel: string
  onMessage(message: string): void
  /** Both may be called again and again. */
  onConnected(): void
  onLost(reason: string): void
}

/** A connection of its own, because one that subscribes can do nothing else. */
export function createStoreSubscription(options: StoreSubscriptionOptions): StoreSubscription {
  const { url, deadlineMs, channel, onMessage, onConnected, onLost } = options
  const link = createStoreLink({
    url,
    deadlineMs,
    async open(client) {
      await client.subscribe(channel, (message) => onMessage(message))
      return onConnected
    },
    onLost,
  })
  return {
    renew(reason) {
      const client = link.client()
      if (client !== null) link.lose(client, reason)
    },
    close: link.close,
  }
}
