import { families } from '../../../shared/chains.ts'
import type { EnrolmentToken, PendingToken } from '../../../shared/health-verifiers.ts'
import type { EnrollRequest } from '../../../shared/verifier-protocol.ts'
import type { Database } from '../../platform/database.ts'
import { assertNever, fault } from '../../platform/fault.ts'
import { randomId } from '../../platform/ids.ts'
import { hashSecret, mintSecret } from '../../platform/secrets.ts'
import { tokenPrefixes } from '../../platform/token-prefixes.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import type { KeyReplicas } from '../../keys/key-replicas.ts'
import type { RecordChange } from '../audit-entry.ts'
import { proofIsGood, readPublicKey, signedForms } from './signature.ts'
import { type VerifierStore, isTakenKey } from './store.ts'
import type { Verifier } from './verifier.ts'

/** Enrols and revokes verifiers. An operator creates a token, with which its holder can enrol one key, once. */
export interface Enrolment {
  createToken(label: string, record: RecordChange<PendingToken>): Promise<EnrolmentToken>
  /** Resolves to the tokens that can still be used. */
  tokens(): Promise<PendingToken[]>
  /** Cancels a token. Throws the fault `not_found`, also for a token that was used or has expired. */
  cancelToken(id: string, record: RecordChange<{ label: string }>): Promise<void>
  /**
   * Enrols a verifier, which all processes know then. Faults: `unauthorized` for a bad token or proof, `conflict` for a key
   * that is enrolled already.
   */
  enroll(request: EnrollRequest, record: RecordChange<Enrolled>): Promise<Verifier>
  /**
   * Revokes a verifier, and returns whether no process that lives takes its reports any more. Faults: `not_found`, `conflict`
   * for a built-in one.
   */
  revoke(id: string, record: RecordChange): Promise<{ propagated: boolean }>
  /**
   * Enrols the verifier inside the server, which needs no token: only the server can call this. One that is enrolled
   * already (`known`) can probe what this release can.
   */
  enrollBuiltIn(known: Verifier | undefined, publicKey: string, version: string): Promise<Verifier>
}

/** An enrolled verifier, with the token that it used. */
export interface Enrolled {
  readonly verifier: Verifier
  readonly token: Pick<PendingToken, 'id' | 'label'>
}

const tokenLifeMs = 3_600_000

/** Number of characters of a token's hash that are its id: enough to tell tokens apart. */
const tokenIdLength = 16
const tokenIdOf = (tokenHash: string): string => tokenHash.slice(0, tokenIdLength)

interface EnrolmentOptions {
  readonly database: Database
  readonly replicas: Pick<KeyReplicas, 'change'>
  readonly store: VerifierStore
  readonly clock: SteadyClock
}

export function createEnrolment({ database, replicas, store, clock }: EnrolmentOptions): Enrolment {
  /** A key that is enrolled already rolls the transaction back, and with it the use of the token. */
  async function enrollOnce(
    request: EnrollRequest,
    verifier: Verifier,
    record: RecordChange<Enrolled>,
  ): Promise<'enrolled' | 'token_invalid' | 'key_taken'> {
    const tokenHash = hashSecret(request.token)
    try {
      const { result } = await replicas.change('verifier', async (sql) => {
        const outcome = await store.enroll(sql, tokenHash, verifier, clock.now(), (inside, label) =>
          record(inside, { verifier, token: { id: tokenIdOf(tokenHash), label } }),
        )
        return { ids: outcome === 'enrolled' ? [verifier.id] : [], result: outcome }
      })
      return result
    } catch (error) {
      if (isTakenKey(error)) return 'key_taken'
      throw error
    }
  }

  return {
    async createToken(label, record) {
      const token = mintSecret(tokenPrefixes.verifierEnrolment)
      const tokenHash = hashSecret(token)
      const id = tokenIdOf(tokenHash)
      const expiresAt = Math.floor(clock.now()) + tokenLifeMs
      await database.transaction(async (sql) => {
        await store.saveToken(sql, { tokenHash, label, expiresAt })
        await record(sql, { id, label, expiresAt })
      })
      return { id, token, expiresAt }
    },

    async tokens() {
      const tokens = await store.tokens(clock.now())
      return tokens.map(({ tokenHash, label, expiresAt }) => ({ id: tokenIdOf(tokenHash), label, expiresAt }))
    },

    async cancelToken(id, record) {
      await database.transaction(async (sql) => {
        const label = await store.removeToken(sql, id)
        if (label === null)
          throw fault('not_found', 'there is no such token; perhaps it was used or has expired')
        await record(sql, { label })
      })
    },

    async enroll(request, record) {
      const key = readPublicKey(request.publicKey)
      if (!key)
        throw fault('invalid_request', 'publicKey: expected the 32 raw bytes of an Ed25519 key in base64')
      if (!proofIsGood(request.proof, request.token, request.publicKey, key)) {
        throw fault(
          'unauthorized',
          `proof: not the signature of this public key over ${signedForms.enrolment}`,
        )
      }
      const verifier = newVerifier(request, Math.floor(clock.now()), false)
      const outcome = await enrollOnce(request, verifier, record)
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

    async revoke(id, record) {
      const { propagated } = await replicas.change('verifier', async (sql) => {
        const outcome = await store.revoke(sql, id)
        if (outcome === 'unknown') throw fault('not_found', 'there is no such verifier')
        if (outcome === 'built_in') {
          throw fault(
            'conflict',
            'the built-in verifier is switched off in the file: verifiers: { builtIn: false }',
          )
        }
        if (outcome === 'revoked') await record(sql)
        return { ids: [id], result: null }
      })
      return { propagated }
    },

    async enrollBuiltIn(known, publicKey, version) {
      if (known) return { ...known, families: [...families], version }
      const described = { name: 'built-in', region: 'local', publicKey, families: [...families], version }
      const verifier = newVerifier(described, Math.floor(clock.now()), true)
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
