/** What a bench says to the server that it measures, over the channel between parent and child. */
export type BenchQuestion =
  | { readonly kind: 'token' }
  | { readonly kind: 'decided' }
  /** Begins a measurement. Watching the event loop itself takes two hundredths of a core. */
  | { readonly kind: 'begin'; readonly watchesTicks: boolean }
  /** Ends it. */
  | { readonly kind: 'end' }
  | { readonly kind: 'stop' }

/** What the server's process used between `begin` and `end`. */
export interface ProcessUsage {
  readonly elapsedMs: number
  /** Of all its threads. */
  readonly cpuMs: number
  /** Of it, on taking in batches of reports: from checking the signature to what is kept of every observation. */
  readonly reportsMs: number
  readonly ticks: Ticks | null
  readonly residentMb: number
  readonly peakResidentMb: number
}

/** The event loop between two instants. */
export interface Ticks {
  /** Longest time for which it did not come round. */
  readonly longestMs: number
  /** As much of that as this thread was computing: the rest it waited for a core, on a busy machine. */
  readonly longestBusyMs: number
  readonly busyOver10Ms: number
}

export interface Started {
  /** Of the server as composed. */
  readonly url: string
  /** Of the same routes with a few more that answer a constant text. */
  readonly comparisonUrl: string
}

export type BenchAnswer =
  | ({ readonly kind: 'started' } & Started)
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'decided'; readonly count: number }
  | { readonly kind: 'begun' }
  | { readonly kind: 'usage'; readonly usage: ProcessUsage }

/** Settings of the server under test. */
export interface BenchServerSettings {
  readonly dataDir: string
  /** The declarative file. */
  readonly filePath: string
}
