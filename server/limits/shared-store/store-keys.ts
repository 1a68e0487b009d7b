import type { Limit, LimitName } from '../../../shared/limits.ts'

/** Names in the store. Nothing else of ours lives under this prefix. */
const prefix = 'gatehouse:limits'

export const epochKey = `${prefix}:epoch`
export const nodesKey = `${prefix}:nodes`
export const postedKey = `${prefix}:posted`

/** A changed number of units goes on with what is counted; a changed period begins anew. */
export const ringKey = (keyId: string, name: LimitName, { period }: Limit): string =>
  `${prefix}:key:${keyId}:${name}:${period}`

export const counterKey = (ring: string, nodeId: string): string => `${ring}:${nodeId}`
