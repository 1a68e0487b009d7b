/**
 * The record of tool calls: who called which tool of which tool server, what became of it, how long it took, how much was
 * sent and what it cost. All calls are counted; single calls are kept for a week.
 *
 * A call takes these steps, none of which waits for the database:
 * 1. `begin` counts it before it is sent, in `call-counter.ts`, with the meter that counts calls with query keys
 *    (`usage/`): an API key or an agent is its key, a tool server its endpoint, a tool its method. So a kill loses no
 *    count; a call that was under way is one that failed, and costs nothing.
 * 2. `finished` hears once how it ended (`connections/tool-call.ts`). The meter settles, and `call-metrics.ts` counts.
 * 3. `call-recorder.ts` keeps the single call: 20 of a kind in a second, one in ten above that. Where the owner of the
 *    connection has them kept, `kept-content.ts` keeps arguments and result, without credentials and cut off.
 * 4. Twice a second what waits is written (`store.ts`). Each minute what is too old goes, contents after a day.
 * 5. `statistics.ts` says what was counted: by tool, tool server, key and account. `routes.ts` and `procedures.ts` show it;
 *    owners see their own calls, operators all. What became of calls is kept by outcome for 30 days, beside the counts,
 *    and a kill loses a second of that.
 *
 * Failures: without room to count, a call is refused rather than made uncounted. While the database is away 20,000 single
 * calls wait in memory; what is beyond is not kept, and `tool_calls_not_kept_total` says how many.
 *
 * Known limitations: a kill loses the single calls of half a second. Beyond 200 tools of a tool server in an hour, and for
 * names that are no plain text, calls are counted as `other`. A call that found no way to its tool server, for want of
 * credentials or a consent, is recorded without being sent; calls of connections that do not exist are no calls of a tool.
 */
import {
  type ToolCallContent,
  type ToolCallEntry,
  toolCallBounds,
  type ToolCallQuery,
} from '../../shared/tool-calls.ts'
import type { FinishedToolCall, ToolCall } from '../connections/connections.ts'
import type { Database } from '../platform/database.ts'
import { fault } from '../platform/fault.ts'
import { randomHex } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { createPeriodicJob } from '../platform/periodic-job.ts'
import { cursorAt, type RecordPosition } from '../../shared/record-position.ts'
import { positionBefore } from '../platform/record-position.ts'
import { createSerialRuns } from '../platform/serial-runs.ts'
import type { Usage } from '../usage/usage.ts'
import { createCallCounter } from './call-counter.ts'
import { createCallMetrics } from './call-metrics.ts'
import { createCallRecorder, type RecordedCall } from './call-recorder.ts'
import { keptContent } from './kept-content.ts'
import { createToolStatistics, type NamesOf } from './statistics.ts'
import { type CallFilter, createToolCallStore } from './store.ts'

export interface ToolCallsOptions {
  readonly database: Database
  /** Epoch ms. */
  readonly now: () => number
  readonly log: Log
  readonly metrics: Metrics
  /** Counts them: the usage domain, over tables of tool calls. */
  readonly counted: Pick<Usage, 'meter' | 'statistics'>
  readonly namesOf: NamesOf
  /** Is told of single calls once they are written. */
  readonly written: (calls: readonly RecordedCall[]) => void
}

export type ToolCalls = ReturnType<typeof createToolCalls>

const writeEveryMs = 500
const cleanEveryMs = 60_000
const mostWaiting = 20_000
const rowsPerWrite = 1_000

export function createToolCalls(options: ToolCallsOptions) {
  const { database, now, log, metrics, counted, namesOf, written } = options
  const store = createToolCallStore(database)
  const measured = createCallMetrics(metrics)
  const counter = createCallCounter(counted.meter, now)
  const recorder = createCallRecorder({ now, run: randomHex(4), mostWaiting, lost: measured.notKept })
  const seen = new Set<string>()
  let isFailing = false
  let cleanAt = 0

  async function writeSome(): Promise<boolean> {
    const calls = recorder.take(rowsPerWrite)
    if (calls.length === 0) return false
    try {
      await store.write(calls)
    } catch (error) {
      recorder.putBack(calls)
      throw error
    }
    written(calls)
    for (const { accountId } of calls) seen.add(accountId)
    return calls.length === rowsPerWrite
  }

  async function write(): Promise<void> {
    try {
      while (await writeSome());
      if (isFailing) log.info('tool calls are recorded again')
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn('tool calls wait: they could not be written', { error })
      isFailing = true
      throw error
    }
  }

  async function clean(): Promise<void> {
    const accounts = [...seen]
    seen.clear()
    recorder.forgetIdle(now() - cleanEveryMs)
    await store.clean(accounts, Math.floor(now()))
  }

  const runs = createSerialRuns(async () => {
    await write()
    if (now() < cleanAt) return
    cleanAt = now() + cleanEveryMs
    await clean()
  })
  const job = createPeriodicJob(writeEveryMs, runs.runUnlessRunning, () => undefined)

  return {
    /** Counts a call that is about to be sent. Fault: `unavailable`; it must not be sent then. */
    begin: counter.begin,

    /** Notes what became of a call. Never throws and never waits. */
    finished(call: ToolCall, outcome: FinishedToolCall): void {
      try {
        counter.end(call, outcome)
      } catch (error) {
        log.error('a tool call was not counted', { error })
      }
      measured.finished(call, outcome)
      const isKept = call.contentKeptUntil !== null && now() < call.contentKeptUntil
      recorder.add(call, outcome, () => (isKept ? keptContent(call, outcome) : null))
    },

    statistics: createToolStatistics({ counted, namesOf, now }),

    /** Returns a page of single calls, the newest first. Fault: `invalid_request`. */
    async list(accountId: string | null, query: Omit<ToolCallQuery, 'account' | 'all'>): Promise<CallPage> {
      const { before: cursor, limit = toolCallBounds.pageSize, ...filter } = query
      const before = cursor === undefined ? null : positionBefore(cursor)
      await runs.run()
      const found = await store.list({ ...filter, accountId } satisfies CallFilter, before, limit + 1)
      const calls = found.slice(0, limit)
      const last = calls.at(-1)
      return {
        calls,
        nextCursor: found.length > limit && last !== undefined ? cursorAt(last) : null,
      }
    },

    /** Returns what is kept of a call's arguments and result. Fault: `not_found`. */
    async content(accountId: string | null, position: RecordPosition): Promise<ToolCallContent> {
      const content = await store.content(accountId, position, now())
      if (content === null) throw fault('not_found', 'There is no such call')
      return content
    },

    namesOf,

    /** Writes what waits, and deletes what is too old. Both run by themselves. */
    write: runs.run,
    clean(): Promise<void> {
      cleanAt = 0
      return runs.run()
    },

    start: job.start,
    async stop(): Promise<void> {
      await job.stop()
      await runs.run().catch(() => undefined) // Said in the log already.
    },
  }
}

export interface CallPage {
  readonly calls: readonly ToolCallEntry[]
  readonly nextCursor: string | null
}
