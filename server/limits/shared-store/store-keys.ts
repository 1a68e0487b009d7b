import type { Limit, LimitName } from '../../../shared/limits.ts'
import { Period } from '../../../shared/periods.ts'
import { type StorePlace, tagOf } from '../../platform/shared-store/store-connection.ts'

/** The keys of the limits in the store. All begin with one tag, so that every script may use any of them in a cluster. */
export type LimitKeys = ReturnType<typeof createLimitKeys>

export function createLimitKeys(place: Pick<StorePlace, 'prefix'>) {
  const tag = tagOf(place, 'limits')
  return {
    epoch: `${tag}:epoch`,
    nodes: `${tag}:nodes`,
    expected: `${tag}:expected`,
    posted: `${tag}:posted`,
    departed: `${tag}:departed`,
    /** Returns the key of the set of rings in which a node was granted something. */
    held: (nodeId: string): string => `${tag}:held:${nodeId}`,
    /**
     * Returns the key of a limit's ring. A changed number of units keeps the ring; a changed period begins another one.
     */
    ring: (keyId: string, name: LimitName, { period }: Limit): string =>
      `${tag}:key:${keyId}:${name}:${period}`,
    ledger: (ring: string, nodeId: string): string => `${ring}:${nodeId}`,
  }
}

/** Returns the period in a ring's key. Throws on a text that `ring` did not make. */
export const periodOfRing = (ring: string): Period => Period.parse(ring.slice(ring.lastIndexOf(':') + 1))
