import type {
  AskedProcesses,
  RequestCounts,
  RequestFilter,
  RequestHistory,
} from '../../shared/request-log.ts'
import { requestLogBounds } from '../../shared/request-log.ts'
import { askOthers } from '../platform/internal-http/ask-others.ts'
import type { InternalHttp } from '../platform/internal-http/internal-http.ts'
import type { Log } from '../platform/log.ts'
import { answerFleet } from './fleet-answers.ts'
import { countMessages, pageMessages } from './fleet-messages.ts'
import { createFeedBuffer, type FeedEvent } from './live-requests.ts'
import { createOtherStreams, type OtherProcess, type OtherStreams } from './other-streams.ts'
import { type OwnedPage, type PageQuery, pageOf, type RequestLog } from './request-log.ts'

/** `AskedProcesses`, before it is known who reads it. */
export interface Asked extends Omit<AskedProcesses, 'silent'> {
  readonly silent: readonly OtherProcess[]
}

/** The request logs of all processes of the installation as one. */
export interface FleetRequests {
  /**
   * Returns a page of one account, or of all (null), the newest first by the clock of each process. A cursor is good for
   * all of them. Fault: `invalid_request`.
   */
  list(accountId: string | null, query: PageQuery): Promise<OwnedPage & Asked>
  /** Counts requests in equal stretches from `filter.from` to now, or to `filter.to`. */
  counts(accountId: string | null, filter: RequestFilter): Promise<Pick<RequestHistory, 'counts'> & Asked>
  /** Yields what is logged anywhere, and which processes are silent when that changes, until the signal aborts. */
  follow(
    accountId: string | null,
    filter: RequestFilter,
    signal: AbortSignal,
  ): AsyncGenerator<FeedEvent & Asked>
  /** Ends the answers to others that follow. */
  close(): void
}

interface FleetRequestsOptions {
  readonly requestLog: Pick<RequestLog, 'list' | 'counts' | 'follow'>
  readonly internal: Pick<InternalHttp, 'send' | 'handle' | 'registry'>
  /** Epoch ms. */
  readonly now: () => number
  readonly monotonic: () => number
  readonly log: Log
}

/** People wait for it, and a loaded process that reads the segments of a day needs some hundred milliseconds. */
const answerWithinMs = 3_000

/** Before `internal.start`, so that questions of the others find an answer. */
export function createFleetRequests(options: FleetRequestsOptions): FleetRequests {
  const { requestLog, internal, now, monotonic, log } = options
  const followed = new Set<OtherStreams>()
  const close = answerFleet({ requestLog, internal })
  internal.registry.onBeat(() => followed.forEach((streams) => streams.check()))

  return {
    async list(accountId, query) {
      // Its own page first: a cursor that is none is refused before anybody is asked.
      const own = await requestLog.list(accountId, query)
      const { answers, silent } = await askOthers(internal, {
        path: pageMessages.path,
        body: JSON.stringify({ accountId, query }),
        answerWithinMs,
        read: (json) => pageMessages.Answer.safeParse(json).data ?? null,
      })
      const pages = [own, ...answers]
      const found = pages.flatMap(({ requests }) => requests)
      const limit = query.limit ?? requestLogBounds.pageSize
      const hasMore = found.length > limit || pages.some(({ nextCursor }) => nextCursor !== null)
      return { ...pageOf(found, limit, hasMore), processes: pages.length + silent.length, silent }
    },

    async counts(accountId, filter) {
      const until = filter.to ?? now()
      const [own, { answers, silent }] = await Promise.all([
        requestLog.counts(accountId, filter, until),
        askOthers(internal, {
          path: countMessages.path,
          body: JSON.stringify({ accountId, filter, until }),
          answerWithinMs,
          read: (json) => countMessages.Answer.safeParse(json).data ?? null,
        }),
      ])
      return { counts: answers.reduce(added, own), processes: 1 + answers.length + silent.length, silent }
    },

    async *follow(accountId, filter, signal) {
      const buffer = createFeedBuffer()
      const leave = requestLog.follow(accountId, filter, (requests) => buffer.add({ requests, left: 0 }))
      const streams = createOtherStreams({
        internal,
        monotonic,
        log,
        accountId,
        filter,
        onEvent: buffer.add,
        onChange: buffer.wake,
      })
      followed.add(streams)
      streams.check()
      try {
        for await (const event of buffer.events(signal))
          yield { ...event, processes: 1 + streams.count(), silent: streams.silent() }
      } finally {
        followed.delete(streams)
        streams.close()
        leave()
      }
    },

    close,
  }
}

/** Adds the counts of the same stretches. */
const added = (one: readonly RequestCounts[], other: readonly RequestCounts[]): RequestCounts[] =>
  one.map(({ at, answered, failed, refused }, index) => {
    const more = other[index]
    return {
      at,
      answered: answered + (more?.answered ?? 0),
      failed: failed + (more?.failed ?? 0),
      refused: refused + (more?.refused ?? 0),
    }
  })
