import {
  type ApiKeyInput,
  type ApiKeyView,
  type Permission,
  operatorPermission,
  permissionLabels,
} from '../../shared/api-keys.ts'
import type { Author } from '../keys/changes.ts'
import type { Minted } from '../keys/editing.ts'
import type { Keys } from '../keys/keys.ts'
import type { Sql } from '../platform/database.ts'
import { fault } from '../platform/fault.ts'
import { readRestrictions } from '../keys/restrictions.ts'
import type { ApiKey } from './api-key.ts'

/** Returns whether an account is an operator's, in the transaction of a change. */
export type IsOperator = (sql: Sql, accountId: string) => Promise<boolean>

/** What the owner of an API key, or somebody on the owner's behalf, can do to it. */
export function createApiKeyEditing(
  { change, now, view, editing }: Keys<ApiKey, ApiKeyView>,
  isOperator: IsOperator,
) {
  async function requireMayHave(sql: Sql, { accountId }: Author, permissions: readonly Permission[]) {
    if (!permissions.includes(operatorPermission) || (await isOperator(sql, accountId))) return
    const message = `only keys of operators may have ${permissionLabels[operatorPermission]}`
    throw fault('invalid_request', `permissions: ${message}`, {
      fields: [{ path: ['permissions'], message }],
    })
  }

  return {
    /** Faults: `invalid_request`; `conflict` when the account has as many keys as it may have. */
    async create(author: Author, input: ApiKeyInput): Promise<Minted<ApiKeyView>> {
      const made = editing.newKey(author, input)
      const { value } = made
      const key: ApiKey = { ...made.key, permissions: input.permissions, lastUsedAt: null }
      const { propagated } = await change(author, 'create', async (sql) => {
        await requireMayHave(sql, author, input.permissions)
        return editing.insert(sql, author, [{ key, value }])
      })
      return { key: await view(key), value, propagated }
    },

    /** Replaces everything that can be edited. Faults: `not_found`, `invalid_request`. */
    update(author: Author, id: string, input: ApiKeyInput) {
      const { name, permissions } = input
      return editing.update(author, id, async (before, sql) => {
        await requireMayHave(sql, author, permissions)
        return { ...before, name, permissions, ...readRestrictions(input, now(), before.expiresAt) }
      })
    },

    setEnabled: editing.setEnabled,
    delete: editing.delete,
    rotate: editing.rotate,
    reveal: async (author: Author, id: string): Promise<string> => (await editing.reveal(author, id)).value,
  }
}
