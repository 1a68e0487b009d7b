import { createHash } from 'node:crypto'

import type { ServiceSpec } from '../../../shared/health.ts'
import { randomHex } from '../../platform/ids.ts'

/** Generated ids are 32 bytes of hex that begin with ASCII `rpc:`, the form that ids in the wild have. */
const prefix = '0x7270633a'
const randomBytes = 28

export const generateServiceId = (): string => prefix + randomHex(randomBytes)

/** The same entry of the file gets the same id at every reload, as long as what it watches stays the same. */
export function deriveServiceId(spec: ServiceSpec): string {
  const identity = JSON.stringify([
    spec.chain ?? null,
    spec.family ?? null,
    spec.provider,
    spec.endpoint,
    spec.name,
  ])
  const digest = createHash('sha256').update(identity).digest('hex')
  return prefix + digest.slice(0, randomBytes * 2)
}
