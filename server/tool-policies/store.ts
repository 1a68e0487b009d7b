import { ToolPolicy, type ToolPolicySubject, type ToolPolicyView } from '../../shared/tool-policies.ts'
import type { Database, TransactionSql } from '../platform/database.ts'

interface Row {
  id: string
  account_id: string
  policy: unknown
  updated_at: Date
}

/** The id of a policy: one for each account, key or connection. */
export const policyIdOf = (subject: ToolPolicySubject, accountId: string): string =>
  `${subject.level}:${subject.level === 'account' ? accountId : subject.id}`

export type ToolPolicyStore = ReturnType<typeof createToolPolicyStore>

/** Policies in PostgreSQL. */
export function createToolPolicyStore(database: Database) {
  return {
    async all(): Promise<ToolPolicyView[]> {
      const rows = await database.run((sql) => sql<Row[]>`SELECT * FROM tool_policies ORDER BY id`)
      return rows.map(viewOf)
    },
    async some(ids: readonly string[]): Promise<ToolPolicyView[]> {
      const rows = await database.run(
        (sql) => sql<Row[]>`SELECT * FROM tool_policies WHERE id = ANY(${[...ids]}::text[])`,
      )
      return rows.map(viewOf)
    },
    async find(sql: TransactionSql, id: string): Promise<ToolPolicyView | null> {
      const [row] = await sql<Row[]>`SELECT * FROM tool_policies WHERE id = ${id} FOR UPDATE`
      return row === undefined ? null : viewOf(row)
    },
    async save(
      sql: TransactionSql,
      { subject, accountId, policy, updatedAt }: ToolPolicyView,
    ): Promise<void> {
      const id = policyIdOf(subject, accountId)
      await sql`
        INSERT INTO tool_policies (id, account_id, policy, updated_at)
        VALUES (${id}, ${accountId}, ${JSON.stringify(policy)}::text::jsonb, ${new Date(updatedAt)})
        ON CONFLICT (id) DO UPDATE SET policy = excluded.policy, updated_at = excluded.updated_at`
    },
    async remove(sql: TransactionSql, id: string): Promise<void> {
      await sql`DELETE FROM tool_policies WHERE id = ${id}`
    },
  }
}

/** Deletes the policies of accounts, their keys and connections, and returns their ids. */
export async function removePoliciesOf(
  sql: TransactionSql,
  accountIds: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    DELETE FROM tool_policies WHERE account_id = ANY (${[...accountIds]}::text[]) RETURNING id`
  return rows.map(({ id }) => id)
}

function viewOf({ id, account_id: accountId, policy, updated_at: updatedAt }: Row): ToolPolicyView {
  return {
    subject: subjectOf(id),
    accountId,
    policy: ToolPolicy.parse(policy),
    updatedAt: updatedAt.getTime(),
  }
}

function subjectOf(policyId: string): ToolPolicySubject {
  const [level, id = ''] = policyId.split(':')
  if (level === 'account') return { level }
  if (level === 'key' || level === 'connection') return { level, id }
  throw new TypeError(`a policy of no known level: ${policyId}`)
}
