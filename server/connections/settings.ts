import { type DownstreamLimits, defaultDownstreamLimits } from './downstream/limits.ts'
import type { BulkheadLimits } from '../platform/bulkhead.ts'

/** Limits on the resources of this process, and on the load on tool servers. */
export interface ConnectionSettings {
  readonly downstream: DownstreamLimits
  /** Limits on calls in progress. */
  readonly calls: BulkheadLimits
  /** Limits on the streams on which clients of one tool server listen to it between their calls. */
  readonly streams: BulkheadLimits
  /** Limits on open connections. */
  readonly open: { readonly total: number; readonly perPrincipal: number }
}

export const defaultConnectionSettings: ConnectionSettings = {
  downstream: defaultDownstreamLimits,
  calls: { total: 1_024, perPrincipal: 32, perOrigin: 256 },
  // Every client that is open somewhere has one, and mostly nothing comes on it.
  streams: { total: 4_096, perPrincipal: 512, perOrigin: 2_048 },
  open: { total: 4_096, perPrincipal: 64 },
}
