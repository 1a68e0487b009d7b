/**
 * The request log: the last requests with calls and the failures of a day, per account, for the page "Requests" and
 * `gatehouse requests`. It answers "what is failing now, and which upstream did it"; the exact numbers are in `usage/`.
 *
 * A request takes these steps:
 * 1. The relay calls `add` with what it knows of a finished request (`relay/ports.ts`). `recorder.ts` asks its sampler
 *    whether to keep it: all of a quiet second, one in ten above that, which then stands for those that were skipped.
 *    Answers that took several attempts are counted apart, so that they are not lost among the plain ones.
 * 2. Twice a second what was kept is written as lines of JSON (`entry-lines.ts`) into the account's folder, answers and
 *    failures apart (`segment-files.ts`), and goes to those who follow (`live-requests.ts`).
 * 3. `read-requests.ts` reads segments from the newest backwards, until a page is full. `matches.ts` is the filter.
 * 4. Each minute `segment-plan.ts` says which segments go: after a day, or beyond the size of account or folder. Requests
 *    of deleted keys are taken out of the segments.
 *
 * No result, address of a caller or value of a key is stored, and no parameter unless the owner has had them kept for the
 * key, which ends by itself after an hour: then the first 2,048 characters of a request, without credentials
 * (`kept-params.ts`).
 *
 * Each process keeps what it answered itself. `fleet-requests.ts` is what people read: it asks the others over the internal
 * HTTP (`fleet-answers.ts` answers, `other-streams.ts` follows them), and names those that did not answer.
 *
 * The form was chosen by measuring, with requests of two attempts in batches of 100: lines of JSON take 1.7 µs and 380
 * bytes each, a binary form 0.7 µs and 160 bytes, SQLite 6.3 µs and 460 bytes. Sampling bounds the number of requests
 * that are kept, so 1 µs more buys files that every tool can read. Writing is asynchronous: no call waits for the disk.
 *
 * Failures: a kill loses the last half second, and a line that was cut off is skipped. While the disk is full requests
 * are counted, and a gap with their number is written when there is room. Calls never wait for the log, nor fail by it.
 *
 * Known limitations: what a process kept that has ended is shown again when one starts with its data folder (of workers that
 * are no more, by the first of them: `workers/worker-folders.ts`), and nobody says so until then. What was sampled is an estimate. Of many accounts at once the 200 that called last are shown.
 */
import {
  isGap,
  type LoggedRequest,
  type RequestCounts,
  type RequestFilter,
  requestLogBounds,
} from '../../shared/request-log.ts'
import { cursorAt, newestFirst } from '../../shared/record-position.ts'
import { positionBefore } from '../platform/record-position.ts'
import { randomHex } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { createPeriodicJob } from '../platform/periodic-job.ts'
import { createSerialRuns } from '../platform/serial-runs.ts'
import { createRequestFeed } from './live-requests.ts'
import { countRequests, type OwnedRequest, readPage } from './read-requests.ts'
import { type Batch, createRequestRecorder } from './recorder.ts'
import { createSegmentFiles, linesOf } from './segment-files.ts'
import { retentionMs, type SegmentBounds, segmentBounds, type SegmentKind } from './segment-plan.ts'

export interface RequestLogOptions {
  readonly folder: string
  /** Epoch ms. */
  readonly now: () => number
  readonly log: Log
  readonly metrics: Metrics
  /** Resolves to the ids of the query keys that an account has. */
  readonly keyIdsOf: (accountId: string) => Promise<ReadonlySet<string>>
  readonly bounds?: SegmentBounds
}

export type RequestLog = Awaited<ReturnType<typeof openRequestLog>>

const writeEveryMs = 500
const cleanEveryMs = 60_000
/** About 20 MB. */
const mostWaiting = 20_000
const mostAccounts = 200

/** Opens the log of a data folder. */
export async function openRequestLog(options: RequestLogOptions) {
  const { folder, now, log, metrics, keyIdsOf, bounds = segmentBounds } = options
  const files = createSegmentFiles(folder, bounds)
  const recorder = createRequestRecorder({ now, run: randomHex(4), mostWaiting })
  const feed = createRequestFeed()
  let isFailing = false
  let mayHaveDeletedKeys = true
  let cleanAt = now() + cleanEveryMs
  await files.load()
  metrics.observedGauge('request_log_bytes', 'Bytes of the files of the request log', files.bytes)

  async function append(accountId: string, kind: SegmentKind, requests: readonly LoggedRequest[]) {
    if (requests.length === 0) return
    try {
      await files.append(accountId, kind, linesOf(requests), Math.floor(now()))
      if (isFailing) log.info('requests are logged again')
      isFailing = false
    } catch (error) {
      recorder.lose(
        accountId,
        requests.reduce((sum, request) => sum + standsFor(request), 0),
      )
      if (!isFailing) log.warn('requests cannot be logged', { error })
      isFailing = true
    }
  }

  async function write(): Promise<void> {
    const batches = recorder.take()
    for (const { accountId, answers, failures } of batches) {
      await append(accountId, 'answers', answers)
      await append(accountId, 'failures', failures)
    }
    if (feed.hasFollowers()) feed.publish(batches.flatMap(owned).toSorted(newestFirst).toReversed())
  }

  async function clean(): Promise<void> {
    const at = Math.floor(now())
    await files.removeOld(at)
    recorder.forgetIdle(at - cleanEveryMs)
    if (!mayHaveDeletedKeys) return
    mayHaveDeletedKeys = false
    try {
      for (const accountId of files.accounts()) {
        const keys = await keyIdsOf(accountId)
        await files.retain(accountId, (request) => isGap(request) || keys.has(request.keyId))
      }
    } catch (error) {
      mayHaveDeletedKeys = true // The database is away, for instance: the next cleaning tries again.
      throw error
    }
  }

  /** One after the other, so that no segment is written anew while lines are appended to it. */
  const runs = createSerialRuns(async () => {
    await write()
    if (now() < cleanAt) return
    cleanAt = now() + cleanEveryMs
    await clean()
  })
  const job = createPeriodicJob(writeEveryMs, runs.runUnlessRunning, (error) => {
    log.error('the request log failed', { error })
  })
  const wanted = (filter: RequestFilter) => ({ filter, since: now() - retentionMs })
  const accountsOf = (accountId: string | null): readonly string[] =>
    accountId === null ? files.accounts().slice(0, mostAccounts) : [accountId]

  return {
    /** Notes a finished request. Never throws and never waits. */
    add: recorder.add,

    /** Returns a page of one account, or of all (null), the newest first. Fault: `invalid_request`. */
    async list(accountId: string | null, query: PageQuery): Promise<OwnedPage> {
      const { before: cursor, limit = requestLogBounds.pageSize, ...filter } = query
      const before = cursor === undefined ? null : positionBefore(cursor)
      await runs.run()
      const pages: OwnedRequest[][] = []
      for (const each of accountsOf(accountId))
        pages.push(await readPage(files, each, { ...wanted(filter), before, limit: limit + 1 }))
      const found = pages.flat()
      return pageOf(found, limit, found.length > limit)
    },

    /** Counts requests in equal stretches from `filter.from` to `until`, which is `filter.to` or now. */
    async counts(accountId: string | null, filter: RequestFilter, until: number): Promise<RequestCounts[]> {
      await runs.run()
      return countRequests(files, accountsOf(accountId), wanted(filter), until)
    },

    follow: feed.follow,

    /** Writes what waits. Runs by itself. */
    write: runs.run,
    /** Removes what is too old, too much, or of a deleted key. Runs by itself. */
    clean(): Promise<void> {
      cleanAt = now()
      return runs.run()
    },
    /** Says that keys were deleted. */
    keysDeleted(): void {
      mayHaveDeletedKeys = true
    },

    start: job.start,
    async stop() {
      await job.stop()
      await runs.run()
    },
  }
}

export type PageQuery = RequestFilter & {
  readonly before?: string | undefined
  readonly limit?: number | undefined
}

export interface OwnedPage {
  readonly requests: readonly OwnedRequest[]
  readonly nextCursor: string | null
}

/** Returns the newest of what was found, and where the next page begins if there is more. */
export function pageOf(found: readonly OwnedRequest[], limit: number, hasMore: boolean): OwnedPage {
  const requests = found.toSorted(newestFirst).slice(0, limit)
  const last = requests.at(-1)
  return { requests, nextCursor: hasMore && last !== undefined ? cursorAt(last) : null }
}

const standsFor = (request: LoggedRequest): number => (isGap(request) ? request.notKept : request.weight)

const owned = ({ accountId, answers, failures }: Batch): OwnedRequest[] =>
  [...answers, ...failures].map((request) => ({ ...request, accountId }))
