import { createRollupJob } from '../../server/usage/rollup/rollup-job.ts'
import { latenciesToNumber, latencyClassOf, latencyClasses } from '../../server/usage/latency-histogram.ts'
import { createUsageStore } from '../../server/usage/store.ts'
import type { CountedRow } from '../../server/usage/store.ts'
import type { Database } from '../../server/platform/database.ts'
import { silentLog } from './database.ts'
import { dayMs, hourMs, minuteMs } from '../../shared/durations.ts'

const wholeMs = 35 * dayMs
/** Older than this, one count stands for three hours: that is enough for charts of days. */
const fineMs = 8 * dayMs
const rowsPerWrite = 4_000

/** How a key was used. */
export interface PastCalls {
  readonly id: string
  readonly accountId: string
  readonly endpoint: string
  readonly name: string
  readonly hint: string
  /** Requests in an ordinary hour, by method. */
  readonly perHour: Readonly<Record<string, number>>
  /** Of requests that were answered with an error, from 0 to 1. */
  readonly errorShare?: number
  /** How many calls the limits refused in each of the last hours. */
  readonly refused?: { readonly hours: number; readonly byRate: number; readonly byCredits: number }
  /** Used from so long ago on, and until then. */
  readonly sinceDays?: number
  readonly untilDays?: number
}

const creditsOf: Readonly<Record<string, number>> = {
  eth_chainId: 1,
  eth_blockNumber: 10,
  eth_call: 26,
  eth_getLogs: 75,
}
const usualCredits = 20

/** Gives keys a past, by the way that the server itself stores and rolls up what it counted. `now` in epoch ms. */
export async function givePastCalls(
  database: Database,
  keys: readonly PastCalls[],
  now: number,
): Promise<void> {
  const store = createUsageStore(database)
  const rows = keys.flatMap((key) => rowsUntil(key, now))
  for (let from = 0; from < rows.length; from += rowsPerWrite) {
    await store.write('the past', rows.slice(from, from + rowsPerWrite))
  }
  await store.noteLabels(keys)
  await store.close('the past', null)
  await createRollupJob({ database, now: () => now, log: silentLog }).run()
}

function rowsUntil(key: PastCalls, now: number): CountedRow[] {
  const { sinceDays = wholeMs / dayMs, untilDays = 0 } = key
  const rows: CountedRow[] = []
  const last = Math.floor(now / hourMs) * hourMs
  for (let at = Math.floor((now - sinceDays * dayMs) / dayMs) * dayMs; at <= last - untilDays * dayMs;) {
    const hours = at < now - fineMs ? 3 : 1
    const share = at === last ? (now - last) / hourMs : hours
    for (const [method, perHour] of Object.entries(key.perHour)) {
      rows.push(rowOf(key, method, at, Math.round(perHour * share * activityAt(at, method))))
    }
    at += hours * hourMs
  }
  return withRefusals(rows, key, last)
}

/** More by day than by night, less at weekends, and never quite the same. */
function activityAt(at: number, method: string): number {
  const daily = 0.35 + 0.65 * Math.max(0, Math.sin(((at % dayMs) / dayMs - 0.25) * 2 * Math.PI))
  const weekday = new Date(at).getUTCDay()
  const weekly = weekday === 0 || weekday === 6 ? 0.55 : 1
  const jitter = (((at / hourMs) * 7_919 + method.length * 131) % 97) / 97
  return daily * weekly * (0.8 + 0.4 * jitter)
}

function rowOf(key: PastCalls, method: string, at: number, requests: number): CountedRow {
  const { accountId, id: keyId, endpoint, errorShare = 0.002 } = key
  const errors = Math.min(requests, Math.round(requests * errorShare))
  const slow = method === 'eth_getLogs' ? 4 : 1
  return {
    accountId,
    keyId,
    endpoint,
    method,
    minute: at / minuteMs,
    requests,
    credits: requests * (creditsOf[method] ?? usualCredits),
    creditsBack: 0,
    ok: requests - errors,
    errors,
    rateLimited: 0,
    creditLimited: 0,
    cached: 0,
    unanswered: 0,
    charged: 0,
    bytesIn: requests * 140,
    bytesOut: requests * 420 * slow,
    latencies: latenciesOf(requests, 9 * slow),
  }
}

function withRefusals(rows: CountedRow[], { refused }: PastCalls, last: number): CountedRow[] {
  if (refused === undefined) return rows
  const [first] = rows
  const since = (last - (refused.hours - 1) * hourMs) / minuteMs
  return rows.map((row) =>
    row.method === first?.method && row.minute >= since
      ? { ...row, rateLimited: refused.byRate, creditLimited: refused.byCredits }
      : row,
  )
}

/** Most answers take about `usualMs`, some three times as long, and one in a hundred fifteen times. */
function latenciesOf(answers: number, usualMs: number): string {
  const counts = Array.from({ length: latencyClasses }, () => 0)
  const add = (ms: number, share: number): void => {
    const place = latencyClassOf(ms)
    counts[place] = (counts[place] ?? 0) + Math.floor(answers * share)
  }
  add(usualMs, 0.8)
  add(usualMs * 3, 0.18)
  add(usualMs * 15, 0.02)
  return latenciesToNumber(counts)
}
