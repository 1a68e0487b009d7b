import { createHash, randomBytes } from 'node:crypto'

import type { TokenPrefix } from './token-prefixes.ts'

/** A fresh secret of 256 bits that can stand in a URL. Those of cookies, which nobody copies by hand, have no prefix. */
export const mintSecret = (prefix: TokenPrefix | ''): string =>
  `${prefix}${randomBytes(32).toString('base64url')}`

/** Returns what is stored in place of a secret. Plain SHA-256 suffices, because minted secrets cannot be guessed. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')
