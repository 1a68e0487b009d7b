import { type DownstreamLimits, defaultDownstreamLimits } from './downstream/limits.ts'
import type { TurnstileLimits } from './pool/turnstile.ts'

/** How much connections may take of this process, and of others' time. */
export interface ConnectionSettings {
  readonly downstream: DownstreamLimits
  /** Calls under way. */
  readonly calls: TurnstileLimits
  /** Connections that are open. */
  readonly open: { readonly total: number; readonly perPrincipal: number }
}

export const defaultConnectionSettings: ConnectionSettings = {
  downstream: defaultDownstreamLimits,
  calls: { total: 1_024, perPrincipal: 32, perOrigin: 256 },
  open: { total: 4_096, perPrincipal: 64 },
}
