import { randomBytes } from 'node:crypto'

/** Random lowercase hex of so many bytes. */
export const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex')

/** A random id that sorts nowhere and says its kind, for instance `ver_5f0c…`. 96 bits of randomness. */
export const randomId = (kind: string): string => `${kind}_${randomHex(12)}`
