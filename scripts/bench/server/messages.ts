/** What a bench says to the server that it measures, over the channel between parent and child. */
export type Question =
  | { readonly kind: 'token' }
  | { readonly kind: 'decided' }
  /** Begins a measurement. */
  | { readonly kind: 'begin' }
  /** Ends it. */
  | { readonly kind: 'end' }
  | { readonly kind: 'stop' }

/** What the server's process used between `begin` and `end`. */
export interface Usage {
  readonly elapsedMs: number
  /** Of all its threads. */
  readonly cpuMs: number
  /** Longest time for which the event loop did not come round. */
  readonly longestTickMs: number
  /** As much of that as this thread was computing: the rest it waited for a core, on a busy machine. */
  readonly longestBusyTickMs: number
  readonly ticksOver10Ms: number
  readonly residentMb: number
  readonly peakResidentMb: number
}

export interface Started {
  /** Of the server as composed. */
  readonly url: string
  /** Of the same routes with a few more that answer a constant text. */
  readonly comparisonUrl: string
}

export type Answer =
  | ({ readonly kind: 'started' } & Started)
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'decided'; readonly count: number }
  | { readonly kind: 'begun' }
  | { readonly kind: 'usage'; readonly usage: Usage }

/** Settings of the server under test. */
export interface ServerSettings {
  readonly dataDir: string
  /** The declarative file. */
  readonly filePath: string
}
