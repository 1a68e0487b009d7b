/**
 * One page of metrics out of those of several processes. Counters and histograms are added up; so are gauges, which are
 * mostly about what each process has for itself (sessions, sockets, memory, requests under way), but for those named here.
 */
import { mostKeySeries } from '../usage/key-metrics.ts'

/** What every process says alike, or what is as bad as the worst of them. */
const highest = new Set([
  'gatehouse_agent_grants',
  'gatehouse_alert_outbox_dead',
  'gatehouse_alert_outbox_waiting',
  'gatehouse_backup_failed',
  'gatehouse_backup_last_timestamp_seconds',
  'gatehouse_build_info',
  'gatehouse_database_away',
  'gatehouse_database_clock_ahead_seconds',
  'gatehouse_health_certificates',
  'gatehouse_health_reference_age_seconds',
  'gatehouse_health_reference_height',
  'gatehouse_health_services',
  'gatehouse_health_verifiers',
  'gatehouse_internal_nodes_unreachable',
  'gatehouse_key_series_left_out',
  'gatehouse_limiter_degraded',
  'gatehouse_relay_open_breakers',
  'gatehouse_upstream_breaker_state',
  'gatehouse_upstream_budget_limit',
  'gatehouse_upstream_budget_used',
  'gatehouse_upstream_response_seconds',
  'nodejs_eventloop_lag_max_seconds',
  'process_max_fds',
  'process_open_fds',
])

/** What is only true when all say so, and what is over first. */
const lowest = new Set([
  'gatehouse_gateway_sessions_shared',
  'gatehouse_health_certificate_soonest_expiry_seconds',
  'process_start_time_seconds',
])

const keyCalls = 'gatehouse_key_calls_total'
const keySeriesLeftOut = 'gatehouse_key_series_left_out'

interface Family {
  /** The lines of HELP and TYPE. */
  readonly head: readonly string[]
  readonly type: string
  /** Values by name and labels. */
  readonly samples: Map<string, number>
}

type Families = Map<string, Family>

export interface MergedMetrics {
  /**
   * Returns the page of all workers. `pages` is what each of them says, by any name of its own; null of one that does not
   * answer, whose counters stand still.
   */
  merge(pages: ReadonlyMap<object, string | null>): string
  /** Goes on counting what a worker had counted when it was asked last: a sum must not fall when one ends. */
  end(worker: object): void
}

export function createMergedMetrics(): MergedMetrics {
  const lastPages = new WeakMap<object, Families>()
  /** A scrape that was under way when they ended has pages of them, which are not to be counted twice. */
  const over = new WeakSet<object>()
  const ended: Families = new Map()

  function familiesOf(worker: object, page: string | null): Families {
    if (page === null) return withoutGauges(lastPages.get(worker) ?? new Map())
    const families = readPage(page)
    lastPages.set(worker, families)
    return families
  }

  return {
    merge(pages) {
      const living = [...pages].filter(([worker]) => !over.has(worker))
      const merged: Families = new Map()
      for (const [worker, page] of living) addAll(merged, familiesOf(worker, page))
      forgetKeys(ended, merged)
      addAll(merged, ended)
      leaveOutKeys(merged)
      return formatPage(merged)
    },
    end(worker) {
      if (over.has(worker)) return
      over.add(worker)
      addAll(ended, withoutGauges(lastPages.get(worker) ?? new Map()))
    },
  }
}

const withoutGauges = (families: Families): Families =>
  new Map([...families].filter(([, { type }]) => type !== 'gauge'))

/** Of a key that no worker tells of any more, what ended workers had counted leaves the page, too: keys come and go. */
function forgetKeys(ended: Families, living: Families): void {
  const counted = ended.get(keyCalls)?.samples
  const told = living.get(keyCalls)?.samples
  for (const key of counted?.keys() ?? []) if (told?.has(key) !== true) counted?.delete(key)
}

/** Each worker shows its busiest keys, and so does the page of all. */
function leaveOutKeys(merged: Families): void {
  const calls = merged.get(keyCalls)?.samples
  const leftOut = merged.get(keySeriesLeftOut)?.samples
  const rest = [...(calls ?? [])].toSorted(([, one], [, other]) => other - one).slice(mostKeySeries)
  for (const [key] of rest) calls?.delete(key)
  leftOut?.set(keySeriesLeftOut, (leftOut.get(keySeriesLeftOut) ?? 0) + rest.length)
}

function addAll(sums: Families, families: Families): void {
  for (const [name, { samples, ...about }] of families) {
    const sum = sums.get(name) ?? { ...about, samples: new Map<string, number>() }
    sums.set(name, sum)
    for (const [key, value] of samples) {
      const known = sum.samples.get(key)
      sum.samples.set(key, known === undefined ? value : joined(name, known, value))
    }
  }
}

function joined(name: string, one: number, other: number): number {
  if (highest.has(name)) return Math.max(one, other)
  return lowest.has(name) ? Math.min(one, other) : one + other
}

/** Samples of a histogram have the name of their family and an ending. */
function readPage(page: string): Families {
  const families: Families = new Map()
  let head: string[] = []
  let current: Family | null = null
  for (const line of page.split('\n')) {
    if (line.startsWith('# HELP ')) head = [line]
    else if (line.startsWith('# TYPE ')) {
      const [, , name = '', type = ''] = line.split(' ')
      current = { head: [...head, line], type, samples: new Map() }
      families.set(name, current)
    } else if (line !== '') {
      const end = line.lastIndexOf(' ')
      current?.samples.set(line.slice(0, end), Number(line.slice(end + 1).replace('Inf', 'Infinity')))
    }
  }
  return families
}

const formatPage = (families: Families): string =>
  [...families.values()]
    .map(({ head, samples }) =>
      [...head, ...[...samples].map(([key, value]) => `${key} ${formatValue(value)}`), ''].join('\n'),
    )
    .join('\n')

const formatValue = (value: number): string => String(value).replace('Infinity', 'Inf')
