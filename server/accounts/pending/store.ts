import type { Provider, Purpose } from '../../../shared/accounts.ts'
import type { Database } from '../../platform/database.ts'

/** What a sign-in that has begun is for. */
export interface Intent {
  readonly purpose: Purpose
  /** Who asked; null for `sign_in`. */
  readonly accountId: string | null
}

export interface PendingChallenge extends Intent {
  readonly nonceHash: string
  readonly preAuthHash: string
  readonly messageHash: string
  readonly expiresAt: number
}

export interface PendingRedirect extends Intent {
  readonly stateHash: string
  readonly preAuthHash: string
  readonly provider: Provider
  /** Sealed. */
  readonly codeVerifier: string
  readonly returnTo: string
  readonly expiresAt: number
}

/**
 * Sign-ins that have begun. Taking one deletes it in the same statement: of any number that try, one gets it. Only
 * the browser that began it can take it, so that nobody else can use it up.
 */
export interface PendingStore {
  saveChallenge(challenge: PendingChallenge): Promise<void>
  takeChallenge(
    nonceHash: string,
    preAuthHash: string,
    now: number,
  ): Promise<(Intent & { messageHash: string }) | null>
  saveRedirect(redirect: PendingRedirect): Promise<void>
  takeRedirect(stateHash: string, preAuthHash: string, now: number): Promise<TakenRedirect | null>
  removeExpired(now: number): Promise<void>
}

export type TakenRedirect = Intent & Pick<PendingRedirect, 'provider' | 'codeVerifier' | 'returnTo'>

interface ChallengeRow {
  message_hash: string
  purpose: Purpose
  account_id: string | null
}

interface RedirectRow {
  provider: Provider
  code_verifier: string
  purpose: Purpose
  account_id: string | null
  return_to: string
}

export function createPendingStore(database: Database): PendingStore {
  return {
    async saveChallenge({ nonceHash, preAuthHash, messageHash, purpose, accountId, expiresAt }) {
      await database.run(
        (sql) => sql`
          INSERT INTO sign_in_nonces (nonce_hash, pre_auth_hash, message_hash, purpose, account_id, expires_at)
          VALUES (${nonceHash}, ${preAuthHash}, ${messageHash}, ${purpose}, ${accountId}, ${new Date(expiresAt)})`,
      )
    },
    async takeChallenge(nonceHash, preAuthHash, now) {
      const [row] = await database.run(
        (sql) => sql<ChallengeRow[]>`
          DELETE FROM sign_in_nonces
          WHERE nonce_hash = ${nonceHash} AND pre_auth_hash = ${preAuthHash} AND expires_at > ${new Date(now)}
          RETURNING message_hash, purpose, account_id`,
      )
      if (row === undefined) return null
      return { messageHash: row.message_hash, purpose: row.purpose, accountId: row.account_id }
    },
    async saveRedirect(redirect) {
      const { stateHash, preAuthHash, provider, codeVerifier, purpose, accountId, returnTo, expiresAt } =
        redirect
      await database.run(
        (sql) => sql`
          INSERT INTO oauth_states
            (state_hash, pre_auth_hash, provider, code_verifier, purpose, account_id, return_to, expires_at)
          VALUES (${stateHash}, ${preAuthHash}, ${provider}, ${codeVerifier}, ${purpose}, ${accountId}, ${returnTo},
            ${new Date(expiresAt)})`,
      )
    },
    async takeRedirect(stateHash, preAuthHash, now) {
      const [row] = await database.run(
        (sql) => sql<RedirectRow[]>`
          DELETE FROM oauth_states
          WHERE state_hash = ${stateHash} AND pre_auth_hash = ${preAuthHash} AND expires_at > ${new Date(now)}
          RETURNING provider, code_verifier, purpose, account_id, return_to`,
      )
      if (row === undefined) return null
      return {
        provider: row.provider,
        codeVerifier: row.code_verifier,
        purpose: row.purpose,
        accountId: row.account_id,
        returnTo: row.return_to,
      }
    },
    async removeExpired(now) {
      await database.run((sql) => sql`DELETE FROM sign_in_nonces WHERE expires_at <= ${new Date(now)}`)
      await database.run((sql) => sql`DELETE FROM oauth_states WHERE expires_at <= ${new Date(now)}`)
    },
  }
}
