import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

import { Counter, Gauge, Histogram, Registry } from 'prom-client'

import { systemClock } from './clock.ts'
import { histogramText, type ObservedHistogram, type ObservedSeries } from './observed-histogram.ts'

/**
 * Labels take values from small fixed sets only; never an id, an address or a key. The endpoints of the relay and their
 * upstreams, which operators configure, are the one exception.
 */
type Labels<Name extends string> = Partial<Record<Name, string | number>>

export interface CounterMetric<Name extends string> {
  add(labels?: Labels<Name>, amount?: number): void
}
export interface GaugeMetric<Name extends string> {
  set(value: number, labels?: Labels<Name>): void
}
export interface HistogramMetric<Name extends string> {
  observe(value: number, labels?: Labels<Name>): void
}

/** Metrics of one app. Names are given without the prefix, with their base unit (`_seconds`, `_bytes`, `_total`). */
export interface Metrics {
  counter<Name extends string = never>(
    name: string,
    help: string,
    labels?: readonly Name[],
  ): CounterMetric<Name>
  gauge<Name extends string = never>(name: string, help: string, labels?: readonly Name[]): GaugeMetric<Name>
  /** A counter that its owner keeps as numbers, because it is on a hot path; read when somebody scrapes. */
  observedCounter<Name extends string>(
    name: string,
    help: string,
    labels: readonly Name[],
    read: () => readonly { labels: Labels<Name>; count: number }[],
  ): void
  /** A gauge that is read when somebody scrapes. */
  observedGauge(name: string, help: string, read: () => number): void
  /** A gauge with labels that is read when somebody scrapes; what is not read any more is not shown any more. */
  observedGauges<Name extends string>(
    name: string,
    help: string,
    labels: readonly Name[],
    read: () => readonly { labels: Labels<Name>; value: number }[],
  ): void
  histogram<Name extends string = never>(
    name: string,
    help: string,
    options?: { labels?: readonly Name[]; buckets?: readonly number[] },
  ): HistogramMetric<Name>
  /** A histogram that its owner keeps as numbers, as with `observedCounter`; its bounds are `latencyBounds` unless others are given. */
  observedHistogram(
    name: string,
    help: string,
    read: () => readonly ObservedSeries[],
    bounds?: readonly number[],
  ): void
  /** Prometheus text format 0.0.4. */
  render(): Promise<string>
  contentType: string
}

const prefix = 'gatehouse_'

/** Latencies of an HTTP service, in seconds. */
export const latencyBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function createMetrics(): Metrics {
  const registry = new Registry()
  observeProcess(registry)
  const registers = [registry]
  const observedHistograms: ObservedHistogram[] = []

  return {
    counter(name, help, labelNames = []) {
      const counter = new Counter({ name: prefix + name, help, labelNames: [...labelNames], registers })
      return { add: (labels = {}, amount = 1) => counter.inc(labels, amount) }
    },
    gauge(name, help, labelNames = []) {
      const gauge = new Gauge({ name: prefix + name, help, labelNames: [...labelNames], registers })
      return { set: (value, labels = {}) => gauge.set(labels, value) }
    },
    observedCounter(name, help, labelNames, read) {
      const counter: Counter = new Counter({
        name: prefix + name,
        help,
        labelNames: [...labelNames],
        registers,
        collect() {
          counter.reset()
          for (const { labels, count } of read()) counter.inc(labels, count)
        },
      })
    },
    observedGauge(name, help, read) {
      const gauge: Gauge = new Gauge({
        name: prefix + name,
        help,
        registers,
        collect: () => gauge.set(read()),
      })
    },
    observedGauges(name, help, labelNames, read) {
      const gauge: Gauge = new Gauge({
        name: prefix + name,
        help,
        labelNames: [...labelNames],
        registers,
        collect() {
          gauge.reset()
          for (const { labels, value } of read()) gauge.set(labels, value)
        },
      })
    },
    histogram(name, help, { labels: labelNames = [], buckets = latencyBounds } = {}) {
      const histogram = new Histogram({
        name: prefix + name,
        help,
        labelNames: [...labelNames],
        buckets: [...buckets],
        registers,
      })
      return { observe: (value, labels = {}) => histogram.observe(labels, value) }
    },
    observedHistogram(name, help, read, bounds = latencyBounds) {
      observedHistograms.push({ name: prefix + name, help, bounds, read })
    },
    async render() {
      const text = await registry.metrics()
      return [text, ...observedHistograms.map(histogramText)].join('\n')
    },
    contentType: registry.contentType,
  }
}

const loopDelayResolutionMs = 10

/** Linux alone tells of itself there. */
const descriptorFolder = '/proc/self/fd'

function mostDescriptors(): number {
  const [, soft = ''] = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft)
}

/**
 * CPU, memory, descriptors and event-loop lag of the process under the names that dashboards know. prom-client's own collectors walk
 * the whole heap at each scrape, which holds up everybody for 60 ms per million objects.
 */
function observeProcess(registry: Registry): void {
  const registers = [registry]
  const loopDelay = monitorEventLoopDelay({ resolution: loopDelayResolutionMs })
  loopDelay.enable()
  const gauge = (name: string, help: string, read: () => number) => {
    const made: Gauge = new Gauge({ name, help, registers, collect: () => made.set(read()) })
  }
  gauge('process_resident_memory_bytes', 'Resident memory', () => process.memoryUsage.rss())
  gauge('nodejs_eventloop_lag_max_seconds', 'Longest event-loop lag since the last scrape', () => {
    const longest = loopDelay.max / 1e9
    loopDelay.reset()
    return longest
  })
  const startedAt = systemClock.now() / 1000 - process.uptime()
  gauge('process_start_time_seconds', 'Unix time of the start', () => startedAt)
  if (existsSync(descriptorFolder)) {
    gauge('process_open_fds', 'Open file descriptors', () => readdirSync(descriptorFolder).length)
    const most = mostDescriptors()
    gauge('process_max_fds', 'Most file descriptors', () => most)
  }
  const cpu: Counter = new Counter({
    name: 'process_cpu_seconds_total',
    help: 'CPU time, user and system',
    registers,
    collect() {
      const { user, system } = process.cpuUsage()
      cpu.reset()
      cpu.inc((user + system) / 1e6)
    },
  })
}
