/** Limits on the time and memory that one tool server may take. */
export interface DownstreamLimits {
  /** The time until it is connected and has listed its tools. */
  readonly connectMs: number
  /** The time of a call; it begins anew with each progress. */
  readonly callMs: number
  /** The time of a call whatever its progress. */
  readonly callTotalMs: number
  /** The time after which an unused connection is closed. */
  readonly idleMs: number
  /** The size of a body that is no stream. */
  readonly bodyBytes: number
  /** The size of one event of a stream. */
  readonly eventBytes: number
  /** The size of all events that answer one request. */
  readonly streamBytes: number
  readonly streamEvents: number
  /** The nesting of arrays and objects. */
  readonly depth: number
  /** The number of array and object members in one body or event. */
  readonly values: number
  readonly tools: number
  /** The pages of one list of tools, each of which is a request. */
  readonly pages: number
  /** The size of one tool's definition; a larger one is left out. */
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
  pages: 100, // some servers give ten tools a page, or five
  definitionBytes: 256 << 10,
}
