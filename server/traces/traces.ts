/**
 * Traces for an OpenTelemetry collector, over OTLP/HTTP as JSON. Off unless `OTEL_EXPORTER_OTLP_ENDPOINT` is set.
 *
 * Spans are made of what is recorded anyway, after the fact: a request to the relay with its attempts at upstreams from
 * `request-log/`, a call of a tool from `tool-calls/`. So nothing on the path of a call knows of traces, and without a
 * collector they cost nothing.
 *
 * 1. Twice a second the logs hand over what they keep: of a quiet second all, above that one in ten, which says in
 *    `gatehouse.stands_for` for how many it stands.
 * 2. `spans.ts` makes spans of them. The id of a request names its trace; where a proxy that is trusted sent a `traceparent`, the
 *    request belongs to the trace of that proxy.
 * 3. Spans wait here, and every two seconds `export-request.ts` writes them for the collector, at most 512 at once.
 *
 * Failures: what the collector cannot take now (429, 502, 503, 504, no answer) waits, the oldest 8,192 spans at most;
 * what is beyond, and what it refuses, is dropped and counted in `trace_spans_dropped_total`.
 *
 * The packages of OpenTelemetry are not used: they trace live work by patching its context, of which nothing is needed here, and
 * would add 28 MB to an installation for the 60 lines of `export-request.ts`. What these write is what the packages' own serializer
 * (otlp-transformer 0.301) writes of the same span, without its counts of what was dropped.
 *
 * Known limitations: nodes and tool servers are not told of the trace. A request that waited for the answer to an equal one
 * has a span for the attempt that it waited for, marked `gatehouse.shared`, beside that of the other one.
 */
import type { RequestEntry } from '../../shared/request-log.ts'
import type { ToolCallEntry } from '../../shared/tool-calls.ts'
import type { Clock } from '../platform/clock.ts'
import type { Egress } from '../platform/egress.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { createPeriodicJob } from '../platform/periodic-job.ts'
import { type TracedProcess, exportRequest } from './export-request.ts'
import { type Span, spanOfToolCall, spansOfRequest } from './spans.ts'

export interface TracesOptions {
  /** Base address of the collector, such as `http://localhost:4318`. */
  readonly endpoint: string
  /** Sent with each request, such as a token. */
  readonly headers: Readonly<Record<string, string>>
  readonly process: TracedProcess
  readonly egress: Pick<Egress, 'request'>
  readonly clock: Pick<Clock, 'monotonic'>
  readonly log: Log
  readonly metrics: Metrics
}

/** Takes what was recorded. Never throws and never waits. */
export interface Traces {
  requests(requests: readonly RequestEntry[]): void
  toolCalls(calls: readonly Omit<ToolCallEntry, 'hasContent'>[]): void
  start(): void
  /** Sends what waits, once, for at most two seconds: a collector that never answers does not hold up the end. */
  stop(): Promise<void>
}

const sendEveryMs = 2_000
const spansPerRequest = 512
const mostWaiting = 8_192
const timeoutMs = 10_000
const longestStopMs = 2_000
const maxBytes = 65_536
const logEveryMs = 60_000
const retried: ReadonlySet<number> = new Set([429, 502, 503, 504])

export function createTraces(options: TracesOptions): Traces {
  const { endpoint, headers, process, egress, clock, log, metrics } = options
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`
  const sent = metrics.counter('trace_spans_sent_total', 'Spans that the collector took')
  const dropped = metrics.counter(
    'trace_spans_dropped_total',
    'Spans that the collector refused or could not take in time',
  )
  const stopping = new AbortController()
  let waiting: Span[] = []
  let loggedAt = Number.NEGATIVE_INFINITY

  function add(spans: readonly Span[]): void {
    waiting.push(...spans)
    if (waiting.length <= mostWaiting) return
    dropped.add({}, waiting.length - mostWaiting)
    waiting = waiting.slice(-mostWaiting)
  }

  function noteFailure(reason: string): void {
    if (clock.monotonic() - loggedAt < logEveryMs) return
    loggedAt = clock.monotonic()
    log.warn('the collector did not take spans', { reason })
  }

  /** Resolves to what became of a request: its status, or 503 without an answer. */
  async function post(spans: readonly Span[]): Promise<number> {
    try {
      const { status } = await egress.request({
        url,
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(exportRequest(spans, process)),
        timeoutMs,
        maxBytes,
        signal: stopping.signal,
      })
      if (status >= 300) noteFailure(`HTTP ${status}`)
      return status
    } catch (error) {
      noteFailure(error instanceof Error ? error.message : 'unknown')
      return 503
    }
  }

  async function send(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, spansPerRequest)
      const status = await post(batch)
      if (retried.has(status)) return
      // By place, not by count: meanwhile the oldest may have been dropped.
      const taken = new Set(batch)
      waiting = waiting.filter((span) => !taken.has(span))
      ;(status < 300 ? sent : dropped).add({}, batch.length)
    }
  }

  const job = createPeriodicJob(sendEveryMs, send, (error) => log.error('traces failed', { error }))

  return {
    requests: (requests) => add(requests.flatMap(spansOfRequest)),
    toolCalls: (calls) => add(calls.map(spanOfToolCall)),
    start: job.start,
    async stop() {
      const limit = setTimeout(() => stopping.abort(), longestStopMs)
      await job.stop()
      await send()
      clearTimeout(limit)
    },
  }
}
