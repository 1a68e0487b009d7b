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
  /** Calls back with all of them, for as long as the server runs. */
  subscribe(follower: (requests: readonly OwnedRequest[]) => void): void
  /** Yields what matches until the signal aborts; null: of every account. */
  follow(accountId: string | null, filter: RequestFilter, signal: AbortSignal): AsyncGenerator<FeedEvent>
}

/** A person reads no more at once, and a slow browser must not make the server hold more. */
const perEvent = 100

export function createRequestFeed(): RequestFeed {
  const followers = new Set<(requests: readonly OwnedRequest[]) => void>()

  return {
    hasFollowers: () => followers.size > 0,
    publish(requests) {
      for (const follower of followers) follower(requests)
    },
    subscribe: (follower) => void followers.add(follower),
    async *follow(accountId, filter, signal) {
      let waiting: OwnedRequest[] = []
      let left = 0
      let wake = Promise.withResolvers<void>()
      const follower = (requests: readonly OwnedRequest[]): void => {
        const wanted = requests.filter(
          (request) => (accountId === null || request.accountId === accountId) && matches(request, filter),
        )
        if (wanted.length === 0) return
        waiting.push(...wanted)
        left += Math.max(0, waiting.length - perEvent)
        waiting = waiting.slice(-perEvent)
        wake.resolve()
      }
      const ended = (): void => wake.resolve()
      signal.addEventListener('abort', ended, { once: true })
      followers.add(follower)
      try {
        while (!signal.aborted) {
          if (waiting.length === 0) await wake.promise
          wake = Promise.withResolvers<void>()
          if (waiting.length === 0) continue
          const event = { requests: waiting, left }
          waiting = []
          left = 0
          yield event
        }
      } finally {
        followers.delete(follower)
        signal.removeEventListener('abort', ended)
      }
    },
  }
}
