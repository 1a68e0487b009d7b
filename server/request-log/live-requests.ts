import type { RequestFilter } from '../../shared/request-log.ts'
import { matches } from './matches.ts'
import type { OwnedRequest } from './read-requests.ts'

/** What came since the event before. */
export interface FeedEvent {
  readonly requests: readonly OwnedRequest[]
  /** How many more came than one event holds. */
  readonly left: number
}

/** Followers of the log. Requests are shown once they are written. */
export interface RequestFeed {
  /** True while somebody follows. */
  hasFollowers(): boolean
  publish(requests: readonly OwnedRequest[]): void
  /** Calls back with what matches, until the function that it returns is called; null: of every account. */
  follow(
    accountId: string | null,
    filter: RequestFilter,
    take: (requests: readonly OwnedRequest[]) => void,
  ): () => void
}

/** Holds what a reader who follows has not taken yet. */
export interface FeedBuffer {
  add(event: FeedEvent): void
  /** Has the reader look, though nothing came. */
  wake(): void
  /** Yields what came, until the signal aborts; nothing when it was only woken. */
  events(signal: AbortSignal): AsyncGenerator<FeedEvent>
}

/** A person reads no more at once, and a slow browser must not make the server hold more. */
const perEvent = 100

export function createFeedBuffer(): FeedBuffer {
  let waiting: readonly OwnedRequest[] = []
  let left = 0
  let woken = Promise.withResolvers<void>()
  const wake = (): void => woken.resolve()

  return {
    add(event) {
      const all = [...waiting, ...event.requests]
      waiting = all.slice(-perEvent)
      left += event.left + all.length - waiting.length
      wake()
    },
    wake,
    async *events(signal) {
      signal.addEventListener('abort', wake, { once: true })
      try {
        for (;;) {
          if (!signal.aborted) await woken.promise
          if (signal.aborted) return
          woken = Promise.withResolvers<void>()
          const event = { requests: waiting, left }
          waiting = []
          left = 0
          yield event
        }
      } finally {
        signal.removeEventListener('abort', wake)
      }
    },
  }
}

export function createRequestFeed(): RequestFeed {
  const followers = new Set<(requests: readonly OwnedRequest[]) => void>()

  return {
    hasFollowers: () => followers.size > 0,
    publish(requests) {
      for (const follower of followers) follower(requests)
    },
    follow(accountId, filter, take) {
      const follower = (requests: readonly OwnedRequest[]): void => {
        const wanted = requests.filter(
          (request) => (accountId === null || request.accountId === accountId) && matches(request, filter),
        )
        if (wanted.length > 0) take(wanted)
      }
      followers.add(follower)
      return () => void followers.delete(follower)
    },
  }
}
