/** The values that were observed under one set of labels. */
export interface ObservedSeries {
  /** Values need no escaping: they come from small fixed sets. */
  readonly labels: Readonly<Record<string, string>>
  /** The number of values up to each bound and above the bound before; at the end, of those above all bounds. */
  readonly counts: ArrayLike<number>
  readonly sum: number
}

/** A histogram that its owner keeps as numbers, because it is on a hot path. */
export interface ObservedHistogram {
  readonly name: string
  readonly help: string
  /** Ascending. */
  readonly bounds: readonly number[]
  readonly read: () => readonly ObservedSeries[]
}

/** Returns a histogram in the Prometheus text format 0.0.4. */
export function histogramText({ name, help, bounds, read }: ObservedHistogram): string {
  const series = read().flatMap((observed) => linesOf(name, bounds, observed))
  return [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...series, ''].join('\n')
}

function linesOf(name: string, bounds: readonly number[], { labels, counts, sum }: ObservedSeries): string[] {
  const own = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  let count = 0
  const buckets = [...bounds, '+Inf'].map((bound, place) => {
    count += counts[place] ?? 0
    return `${name}_bucket{${[`le="${bound}"`, ...own].join(',')}} ${count}`
  })
  return [...buckets, `${name}_sum{${own.join(',')}} ${sum}`, `${name}_count{${own.join(',')}} ${count}`]
}

/** Counts values by their bounds. */
export class BoundCounts {
  readonly counts: Float64Array
  sum = 0
  readonly #bounds: readonly number[]

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.counts = new Float64Array(bounds.length + 1)
  }

  add(value: number): void {
    let place = 0
    while (value > (this.#bounds[place] ?? Number.POSITIVE_INFINITY)) place++
    this.counts[place] = (this.counts[place] ?? 0) + 1
    this.sum += value
  }
}
