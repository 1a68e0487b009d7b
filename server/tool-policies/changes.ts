import type { ToolPolicy, ToolPolicySubject } from '../../shared/tool-policies.ts'
import type { Audit } from '../audit/audit.ts'
import type { Author } from '../keys/changes.ts'
import type { KeyReplicas } from '../keys/key-replicas.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database, TransactionSql } from '../platform/database.ts'
import { fault } from '../platform/fault.ts'
import { describeFields } from '../platform/validation-text.ts'
import { ArgumentSchemaError, requireArgumentSchema } from './argument-schema.ts'
import { auditedPolicy } from './audited-policy.ts'
import { type ToolPolicyStore, policyIdOf } from './store.ts'

export interface PolicyChangesOptions {
  readonly database: Database
  readonly store: ToolPolicyStore
  readonly replicas: KeyReplicas
  readonly clock: Pick<Clock, 'now'>
  readonly record: Audit['recordAll']
}

/** Changes of policies. One is active in all processes when the call that makes it returns, or the call says that it is not. */
export function createPolicyChanges({ store, replicas, clock, record }: PolicyChangesOptions) {
  async function change(
    { accountId, ...by }: Author,
    subject: ToolPolicySubject,
    policy: ToolPolicy | null,
  ): Promise<{ propagated: boolean }> {
    const id = policyIdOf(subject, accountId)
    const action = policy === null ? 'tool_policy.remove' : 'tool_policy.save'
    const write = (sql: TransactionSql): Promise<void> => {
      const updatedAt = Math.floor(clock.now())
      return policy === null
        ? store.remove(sql, id)
        : store.save(sql, { subject, accountId, policy, updatedAt })
    }
    const { propagated } = await replicas.change('tool_policy', async (sql) => {
      const before = await store.find(sql, id)
      if (before !== null && before.accountId !== accountId) throw noPolicy()
      if (before === null && policy === null) throw noPolicy()
      await write(sql)
      // Last: the audit log has a lock of its own.
      await record(sql, [
        {
          ...by,
          action,
          subject: { kind: 'tool_policy', id },
          ...(before !== null && { before: auditedPolicy(before) }),
          ...(policy !== null && { after: auditedPolicy({ accountId, policy }) }),
        },
      ])
      return { ids: [id], result: null }
    })
    return { propagated }
  }

  return {
    /** Faults: `invalid_request` for a schema that is not taken; `unavailable`. */
    async save(author: Author, subject: ToolPolicySubject, policy: ToolPolicy) {
      const [problem] = schemaProblems(policy)
      if (problem !== undefined) {
        const path = ['policy', 'arguments', problem.place, 'schema']
        const fields = [{ path, message: problem.message }]
        throw fault('invalid_request', describeFields(fields), { fields })
      }
      return change(author, subject, policy)
    },
    /** Faults: `not_found`, `unavailable`. */
    remove: (author: Author, subject: ToolPolicySubject) => change(author, subject, null),
  }
}

/** Returns the schemas of a policy that are not taken, and why. */
export const schemaProblems = (policy: ToolPolicy): { place: number; message: string }[] =>
  policy.arguments.flatMap(({ schema }, place) => {
    try {
      requireArgumentSchema(schema)
      return []
    } catch (error) {
      if (!(error instanceof ArgumentSchemaError)) throw error
      return [{ place, message: error.message }]
    }
  })

const noPolicy = () => fault('not_found', 'There is no such policy')
