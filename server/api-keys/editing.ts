import type { ApiKeyInput, ApiKeyView } from '../../shared/api-keys.ts'
import type { Author } from '../keys/changes.ts'
import type { Minted } from '../keys/editing.ts'
import type { Keys } from '../keys/keys.ts'
import { readRestrictions } from '../keys/restrictions.ts'
import type { ApiKey } from './api-key.ts'

/** What the owner of an API key, or somebody on the owner's behalf, can do to it. */
export function createApiKeyEditing({ change, now, view, editing }: Keys<ApiKey, ApiKeyView>) {
  return {
    /** Faults: `invalid_request`; `conflict` when the account has as many keys as it may have. */
    async create(author: Author, input: ApiKeyInput): Promise<Minted<ApiKeyView>> {
      const made = editing.newKey(author, input)
      const { value } = made
      const key: ApiKey = { ...made.key, permissions: input.permissions, lastUsedAt: null }
      const { propagated } = await change(author, 'create', (sql) =>
        editing.insert(sql, author, [{ key, value }]),
      )
      return { key: view(key), value, propagated }
    },

    /** Replaces everything that can be edited. Faults: `not_found`, `invalid_request`. */
    update(author: Author, id: string, input: ApiKeyInput) {
      const { name, permissions } = input
      return editing.update(author, id, (before) => ({
        ...before,
        name,
        permissions,
        ...readRestrictions(input, now(), before.expiresAt),
      }))
    },

    setEnabled: editing.setEnabled,
    delete: editing.delete,
    rotate: editing.rotate,
    reveal: async (author: Author, id: string): Promise<string> => (await editing.reveal(author, id)).value,
  }
}
