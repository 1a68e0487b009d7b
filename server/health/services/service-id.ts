import { createHash } from 'node:crypto'

import type { ServiceSpec } from '../../../shared/health.ts'
import { randomHex } from '../../platform/ids.ts'

/** Generated ids are 32 bytes of hex that begin with ASCII `rpc:`, the form that ids in the wild have. */
const prefix = '0x7270633a'
const randomBytes = 28

export const generateServiceId = (): string => prefix + randomHex(randomBytes)

/**
 * The same entry of the file gets the same id at every reload. Of the endpoint only the host counts: ids are public, and
 * from the digest of a whole address a weak password in it could be guessed.
 */
export function deriveServiceId({ chain, family, provider, endpoint, name }: ServiceSpec): string {
  const identity = JSON.stringify([chain ?? null, family ?? null, provider, new URL(endpoint).host, name])
  const digest = createHash('sha256').update(identity).digest('hex')
  return prefix + digest.slice(0, randomBytes * 2)
}
