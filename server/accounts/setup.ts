import type { Database, TransactionSql } from '../platform/database.ts'
import { fault } from '../platform/fault.ts'
import { hashSecret, mintSecret } from '../platform/secrets.ts'
import { tokenPrefixes } from '../platform/token-prefixes.ts'
import type { SteadyClock } from '../platform/steady-clock.ts'
import { type RequestTrace, ownAccountEntry } from './audit-entries.ts'
import type { Audit } from '../audit/audit.ts'
import type { ConfiguredOperators } from './operators.ts'
import type { CurrentSession } from './sessions/session.ts'
import type { Sessions } from './sessions/sessions.ts'

/** How the first operator comes about: by a link in the server's output, which works once. */
export interface Setup {
  hasOperator(): Promise<boolean>
  /** A new token, or null when there is an operator, or the settings name one. */
  createToken(): Promise<string | null>
  /** Makes the signed-in account an operator. Fault: `gone` for a token that was used or has expired. */
  claim(session: CurrentSession, token: string, trace: RequestTrace): Promise<void>
}

/** A restart of the server prints a new link. */
const tokenLifeMs = 24 * 3_600_000

interface SetupParts {
  readonly database: Database
  readonly clock: SteadyClock
  readonly operators: ConfiguredOperators
  readonly sessions: Sessions
  readonly record: Audit['record']
}

export function createSetup({ database, clock, operators, sessions, record }: SetupParts): Setup {
  const storedOperatorExists = async (): Promise<boolean> => {
    const rows = await database.run((sql) => sql`SELECT 1 FROM accounts WHERE role = 'operator' LIMIT 1`)
    return rows.length > 0
  }
  const hasOperator = async (): Promise<boolean> => operators.areAny || (await storedOperatorExists())

  return {
    hasOperator,

    async createToken() {
      if (await hasOperator()) {
        await database.run((sql) => sql`DELETE FROM setup_tokens`)
        return null
      }
      const token = mintSecret(tokenPrefixes.operatorSetup)
      const now = clock.now()
      await database.transaction(async (sql) => {
        await sql`DELETE FROM setup_tokens WHERE expires_at <= ${new Date(now)}`
        await sql`
          INSERT INTO setup_tokens (token_hash, expires_at)
          VALUES (${hashSecret(token)}, ${new Date(now + tokenLifeMs)})`
      })
      return token
    },

    async claim(session, token, trace) {
      const { accountId, role } = session
      await database.transaction(async (sql) => {
        await useToken(sql, token, clock.now())
        await sql`
          UPDATE accounts SET role = 'operator', state = 'active', plan = NULL
          WHERE id = ${accountId} AND state <> 'deleted'`
        await sessions.announce(sql, accountId)
        const facts = { before: { role }, after: { role: 'operator' } }
        await record(sql, ownAccountEntry(session, 'operator.claim', trace, facts))
      })
      sessions.forget(accountId)
    },
  }
}

/** Several processes may each have printed a link: one claim at a time, and the first one ends them all. */
async function useToken(sql: TransactionSql, token: string, now: number): Promise<void> {
  await sql`LOCK TABLE setup_tokens IN EXCLUSIVE MODE`
  const [good] = await sql`
    SELECT 1 FROM setup_tokens WHERE token_hash = ${hashSecret(token)} AND expires_at > ${new Date(now)}`
  const [operator] = await sql`SELECT 1 FROM accounts WHERE role = 'operator' LIMIT 1`
  if (good === undefined || operator !== undefined) {
    throw fault(
      'gone',
      'This setup link was used already, or is too old; start the server again for a new one',
    )
  }
  await sql`DELETE FROM setup_tokens`
}
