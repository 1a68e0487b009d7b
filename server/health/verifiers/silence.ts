import type { SteadyClock } from '../../platform/steady-clock.ts'
import { silentAfterMs } from '../decide/policy.ts'
import type { Catalogue } from '../services/catalogue.ts'
import type { Verifier } from './verifier.ts'

/** What verifiers of the same families are asked for. */
interface Asked {
  /** The version of the catalogue by which this is so. */
  readonly version: number
  /** The shortest interval of their services (ms); infinite where they have none. */
  readonly everyMs: number
  /** Since when (epoch ms); 0: since before this start. */
  readonly since: number
}

interface SilenceOptions {
  readonly catalogue: Pick<Catalogue, 'all' | 'version'>
  readonly clock: Pick<SteadyClock, 'now'>
}

/**
 * Creates the function that says from when on (epoch ms) a verifier is silent unless it reports before: never (null) where
 * it has no service to probe, or has not reported yet. One that is asked for more than before has the time from then on.
 */
export function createSilentAt({ catalogue, clock }: SilenceOptions) {
  const askedByFamilies = new Map<string, Asked>()

  function askedOf(families: Verifier['families']): Asked {
    const key = families.join(' ')
    const { version } = catalogue
    const known = askedByFamilies.get(key)
    if (known?.version === version) return known
    let everyMs = Number.POSITIVE_INFINITY
    for (const { service } of catalogue.all()) {
      if (families.includes(service.family)) everyMs = Math.min(everyMs, service.policy.intervalMs)
    }
    const isAsBefore = known === undefined || known.everyMs === everyMs
    const asked = { version, everyMs, since: isAsBefore ? (known?.since ?? 0) : Math.floor(clock.now()) }
    askedByFamilies.set(key, asked)
    return asked
  }

  return ({ families, lastSeenAt }: Pick<Verifier, 'families' | 'lastSeenAt'>): number | null => {
    const { everyMs, since } = askedOf(families)
    if (lastSeenAt === null || !Number.isFinite(everyMs)) return null
    return Math.max(lastSeenAt, since) + silentAfterMs(everyMs)
  }
}
