import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'

/** Labels take values from small fixed sets only; never an id, an address or a key. */
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
  /** A gauge that is read when somebody scrapes. */
  observedGauge(name: string, help: string, read: () => number): void
  histogram<Name extends string = never>(
    name: string,
    help: string,
    options?: { labels?: readonly Name[]; buckets?: readonly number[] },
  ): HistogramMetric<Name>
  /** Prometheus text format 0.0.4. */
  render(): Promise<string>
  contentType: string
}

const prefix = 'gatehouse_'

/** Latencies of an HTTP service, in seconds. */
const latencyBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function createMetrics(): Metrics {
  const registry = new Registry()
  // Process CPU and memory, heap, event loop lag: `process_…` and `nodejs_…`, the names that dashboards know.
  collectDefaultMetrics({ register: registry })
  const registers = [registry]

  return {
    counter(name, help, labelNames = []) {
      const counter = new Counter({ name: prefix + name, help, labelNames: [...labelNames], registers })
      return { add: (labels = {}, amount = 1) => counter.inc(labels, amount) }
    },
    gauge(name, help, labelNames = []) {
      const gauge = new Gauge({ name: prefix + name, help, labelNames: [...labelNames], registers })
      return { set: (value, labels = {}) => gauge.set(labels, value) }
    },
    observedGauge(name, help, read) {
      const gauge: Gauge = new Gauge({
        name: prefix + name,
        help,
        registers,
        collect: () => gauge.set(read()),
      })
    },
    histogram(name, help, { labels: labelNames = [], buckets = latencyBuckets } = {}) {
      const histogram = new Histogram({
        name: prefix + name,
        help,
        labelNames: [...labelNames],
        buckets: [...buckets],
        registers,
      })
      return { observe: (value, labels = {}) => histogram.observe(labels, value) }
    },
    render: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
