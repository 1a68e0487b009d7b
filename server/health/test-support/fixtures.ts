import { createHash, generateKeyPairSync, sign } from 'node:crypto'

import { families } from '../../../shared/chains.ts'
import type { Chain } from '../../../shared/chains.ts'
import type { ServiceSpec } from '../../../shared/health.ts'
import { signingContext } from '../../../shared/verifier-protocol.ts'
import type { EnrollRequest, ObservationRow, ReportBatch, Round } from '../../../shared/verifier-protocol.ts'
import { resolveService } from '../services/service.ts'
import type { Service } from '../services/service.ts'
import type { Verifier } from '../verifiers/verifier.ts'
import { someInstant } from './virtual-clock.ts'

/** Blocks every second, so that a block is a second and thresholds are 30 of both. */
export const testChain = (changes: Partial<Chain> = {}): Chain => ({
  key: 'testnet',
  name: 'Testnet',
  family: 'evm',
  chainId: 1,
  genesisHash: null,
  blockMs: 1_000,
  futureTolSec: 15,
  headAge: 'slot',
  finalityDepth: 10,
  anchors: [],
  ...changes,
})

export const findTestChain = (key: string): Chain | undefined => (key === 'testnet' ? testChain() : undefined)

export const specOf = (id: string, changes: Partial<ServiceSpec> = {}): ServiceSpec => ({
  id,
  name: id,
  chain: 'testnet',
  provider: `provider of ${id}`,
  endpoint: `https://${id}.example/`,
  policy: {},
  ...changes,
})

/** A service of the test chain (or, with a family of its own, of none). */
export function serviceOf(id: string, changes: Partial<ServiceSpec> = {}, isHidden = false): Service {
  const resolved = resolveService(specOf(id, changes), { id, managedBy: 'operator', isHidden }, findTestChain)
  if (resolved.kind === 'problem')
    throw new TypeError(`${resolved.problem.field}: ${resolved.problem.message}`)
  return resolved.service
}

export const httpServiceOf = (id: string, changes: Partial<ServiceSpec> = {}): Service =>
  serviceOf(id, { chain: undefined, family: 'http', ...changes })

/** The private half of a verifier, which signs as the protocol says. */
export interface TestIdentity {
  /** Raw key, base64. */
  readonly publicKey: string
  sign(text: string): string
  /** The `verifier-signature` header of a text. */
  header(text: string): string
}

export function createTestIdentity(): TestIdentity {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const signText = (text: string): string => sign(null, Buffer.from(text), privateKey).toString('base64')
  return {
    publicKey: Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64'),
    sign: signText,
    header: (text) => `v1,${signText(text)}`,
  }
}

export function verifierOf(
  id: string,
  changes: Partial<Verifier> = {},
  { publicKey } = createTestIdentity(),
): Verifier {
  return {
    id,
    name: id,
    region: 'test',
    publicKey,
    families: [...families],
    version: '1',
    isBuiltIn: false,
    isRevoked: false,
    createdAt: someInstant,
    lastSeq: 0,
    lastSeenAt: someInstant,
    ...changes,
  }
}

export const enrollRequestOf = (
  token: string,
  identity: TestIdentity,
  changes: Partial<EnrollRequest> = {},
): EnrollRequest => ({
  token,
  publicKey: identity.publicKey,
  name: 'tester',
  region: 'test',
  version: '1',
  families: ['evm', 'http'],
  proof: identity.sign(`${signingContext.enroll}${token}\n${identity.publicKey}`),
  ...changes,
})

export const batchOf = (verifierId: string, changes: Partial<ReportBatch> = {}): ReportBatch => ({
  v: 1,
  verifierId,
  seq: 1,
  sentAtMs: someInstant,
  isolated: false,
  backfill: false,
  services: [],
  rounds: [],
  ...changes,
})

/** The raw body of a batch with the header that signs it. */
export function signedBatch(batch: ReportBatch, identity: TestIdentity): { body: Buffer; header: string } {
  const body = Buffer.from(JSON.stringify(batch))
  const hash = createHash('sha256').update(body).digest('hex')
  return { body, header: identity.header(signingContext.report + hash) }
}

export const hash8 = '0123456789abcdef'

/** A good observation of the service at an index of `services`, but for the given columns. */
export function reportRowOf(
  index: number,
  { height = 1_000, timestamp = someInstant / 1_000, ...rest }: RowChanges = {},
): ObservationRow {
  const { ok = 1, error = null, rttMs = 50, offsetMs = 0, firstError = null } = rest
  const row: ObservationRow = [index, ok, error, height, timestamp, hash8, rttMs, offsetMs]
  if (firstError !== null) row[8] = firstError
  return row
}

interface RowChanges {
  ok?: 0 | 1
  error?: ObservationRow[2]
  height?: number | null
  timestamp?: number | null
  rttMs?: number
  offsetMs?: number
  firstError?: ObservationRow[2]
}

export const reportRoundOf = (obs: ObservationRow[], changes: Partial<Round> = {}): Round => ({
  chain: 'testnet',
  ageMs: 0,
  spreadMs: 0,
  obs,
  ...changes,
})
