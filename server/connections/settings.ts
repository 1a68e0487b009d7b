import { type DownstreamLimits, defaultDownstreamLimits } from './downstream/limits.ts'
import type { BulkheadLimits } from '../platform/bulkhead.ts'

/** Limits on the resources of this process, and on the load on tool servers. */
export interface ConnectionSettings {
  readonly downstream: DownstreamLimits
  /** Limits on calls in progress. */
  readonly calls: BulkheadLimits
  /** Limits on open connections. */
  readonly open: { readonly total: number; readonly perPrincipal: number }
}

export const defaultConnectionSettings: ConnectionSettings = {
  downstream: defaultDownstreamLimits,
  calls: { total: 1_024, perPrincipal: 32, perOrigin: 256 },
  open: { total: 4_096, perPrincipal: 64 },
}
