/** What one downstream may cost: time, and memory of this process. */
export interface DownstreamLimits {
  /** Until it is connected and has listed its tools. */
  readonly connectMs: number
  /** Of a call; begins anew with each progress. */
  readonly callMs: number
  /** Of a call, whatever its progress. */
  readonly callTotalMs: number
  /** A connection that nobody used so long is closed. */
  readonly idleMs: number
  /** A body that is not a stream. */
  readonly bodyBytes: number
  /** One event of a stream. */
  readonly eventBytes: number
  /** All events that answer one request. */
  readonly streamBytes: number
  readonly streamEvents: number
  /** Nested arrays and objects. */
  readonly depth: number
  /** In one body or event: members of arrays and objects. */
  readonly values: number
  readonly tools: number
  readonly pages: number
  /** One tool's definition. */
  readonly definitionBytes: number
}

export const defaultDownstreamLimits: DownstreamLimits = {
  connectMs: 10_000,
  callMs: 60_000,
  callTotalMs: 600_000,
  idleMs: 300_000,
  bodyBytes: 4 << 20,
  eventBytes: 4 << 20,
  streamBytes: 16 << 20,
  streamEvents: 2_000, // a flood of small ones takes seconds to read
  depth: 64, // JSON of depth 40,000 blocks the process for a second when it is written again
  values: 100_000,
  tools: 500,
  pages: 20,
  definitionBytes: 256 << 10,
}
