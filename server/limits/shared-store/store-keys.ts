import type { Limit, LimitName } from '../../../shared/limits.ts'
import { Period } from '../../../shared/periods.ts'

/** The prefix of every key of the limits in the store. */
const prefix = 'gatehouse:limits'

export const epochKey = `${prefix}:epoch`
export const nodesKey = `${prefix}:nodes`
export const expectedKey = `${prefix}:expected`
export const postedKey = `${prefix}:posted`
export const departedKey = `${prefix}:departed`

/** Returns the key of the set of rings in which a node was granted something. */
export const heldKey = (nodeId: string): string => `${prefix}:held:${nodeId}`

/**
 * Returns the key of a limit's ring. A changed number of units keeps the ring; a changed period begins another one.
 */
export const ringKey = (keyId: string, name: LimitName, { period }: Limit): string =>
  `${prefix}:key:${keyId}:${name}:${period}`

/** Returns the period in a ring's key. Throws on a text that `ringKey` did not make. */
export const periodOfRing = (ring: string): Period => Period.parse(ring.slice(ring.lastIndexOf(':') + 1))

export const ledgerKey = (ring: string, nodeId: string): string => `${ring}:${nodeId}`
