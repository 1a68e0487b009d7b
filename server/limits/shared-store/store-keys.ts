import type { Limit, LimitName } from '../../../shared/limits.ts'
import { Period } from '../../../shared/periods.ts'

/** Names in the store. Nothing else of ours lives under this prefix. */
const prefix = 'gatehouse:limits'

export const epochKey = `${prefix}:epoch`
export const nodesKey = `${prefix}:nodes`
export const expectedKey = `${prefix}:expected`
export const postedKey = `${prefix}:posted`
export const departedKey = `${prefix}:departed`

/** The rings in which a node was granted something. */
export const heldKey = (nodeId: string): string => `${prefix}:held:${nodeId}`

/** A changed number of units goes on with what is counted; a changed period begins anew. */
export const ringKey = (keyId: string, name: LimitName, { period }: Limit): string =>
  `${prefix}:key:${keyId}:${name}:${period}`

/** Throws on what `ringKey` did not make. */
export const periodOfRing = (ring: string): Period => Period.parse(ring.slice(ring.lastIndexOf(':') + 1))

export const ledgerKey = (ring: string, nodeId: string): string => `${ring}:${nodeId}`
