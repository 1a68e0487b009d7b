import { families } from '../../../shared/chains.ts'
import type { EnrollRequest } from '../../../shared/verifier-protocol.ts'
import { assertNever, fault } from '../../platform/fault.ts'
import { randomId } from '../../platform/ids.ts'
import { hashSecret, mintSecret } from '../../platform/secrets.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import { proofIsGood, readPublicKey } from './signature.ts'
import type { VerifierStore } from './store.ts'
import type { Verifier } from './verifier.ts'

export interface EnrolmentToken {
  readonly token: string
  readonly expiresAt: number
}

/** Lets verifiers in: an operator makes a token, and whoever holds it enrols one key with it, once. */
export interface Enrolment {
  createToken(label: string): Promise<EnrolmentToken>
  /** Faults: `unauthorized` for a bad token or proof, `conflict` for a key that is enrolled already. */
  enroll(request: EnrollRequest): Promise<Verifier>
  /** The verifier inside the server needs no token: whoever can call this is the server. */
  enrollBuiltIn(publicKey: string, version: string): Promise<Verifier>
}

const tokenLifeMs = 3_600_000

export function createEnrolment(store: VerifierStore, clock: SteadyClock): Enrolment {
  return {
    async createToken(label) {
      const token = mintSecret('gvt_')
      const expiresAt = clock.now() + tokenLifeMs
      await store.saveToken({ tokenHash: hashSecret(token), label, expiresAt })
      return { token, expiresAt }
    },

    async enroll(request) {
      const key = readPublicKey(request.publicKey)
      if (!key)
        throw fault('invalid_request', 'publicKey: expected the 32 raw bytes of an Ed25519 key in base64')
      if (!proofIsGood(request.proof, request.token, request.publicKey, key)) {
        throw fault('unauthorized', 'proof: not a signature of this public key over the token and the key')
      }
      const verifier = newVerifier(request, clock.now(), false)
      const outcome = await store.enroll(hashSecret(request.token), verifier, clock.now())
      switch (outcome) {
        case 'enrolled':
          return verifier
        case 'token_invalid':
          throw fault('unauthorized', 'token: unknown, used or expired; ask the operator for a new one')
        case 'key_taken':
          throw fault('conflict', 'publicKey: this key is enrolled already; make a new one')
        default:
          return assertNever(outcome)
      }
    },

    async enrollBuiltIn(publicKey, version) {
      const described = { name: 'built-in', region: 'local', publicKey, families: [...families], version }
      const verifier = newVerifier(described, clock.now(), true)
      await store.insert(verifier)
      return verifier
    },
  }
}

type Described = Pick<EnrollRequest, 'name' | 'region' | 'publicKey' | 'families' | 'version'>

const newVerifier = (
  { name, region, publicKey, families: canProbe, version }: Described,
  createdAt: number,
  isBuiltIn: boolean,
): Verifier => ({
  id: randomId('ver'),
  name,
  region,
  publicKey,
  families: canProbe,
  version,
  isBuiltIn,
  isRevoked: false,
  createdAt,
  lastSeq: 0,
  lastSeenAt: null,
})
