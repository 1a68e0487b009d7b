import { createHash, randomBytes } from 'node:crypto'

/** A fresh secret of 256 bits that can stand in a URL. The prefix lets people and scanners recognise it. */
export const mintSecret = (prefix: string): string => `${prefix}${randomBytes(32).toString('base64url')}`

/** What is stored in place of a secret. Plain SHA-256 suffices, because minted secrets cannot be guessed. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')
