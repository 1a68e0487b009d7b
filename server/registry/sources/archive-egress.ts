import { systemClock } from '../../platform/clock.ts'
import type { EgressOptions } from '../../platform/egress.ts'
import { snapshotLimits } from '../read/limits.ts'

const timeoutMs = 60_000

/** How registries are fetched: encrypted, because whoever can change one sends agents elsewhere. */
export const archiveEgress = (allowPrivate: readonly string[]): EgressOptions => ({
  clock: systemClock,
  allowPrivate,
  schemes: ['https'],
  streamLimits: { timeoutMs, maxBytes: snapshotLimits.archiveBytes },
})
