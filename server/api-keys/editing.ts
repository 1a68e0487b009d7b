import type { ApiKeyInput, ApiKeyView } from '../../shared/api-keys.ts'
import type { Author } from '../keys/changes.ts'
import { type KeyEditingOptions, type Minted, createKeyEditing } from '../keys/editing.ts'
import { readRestrictions } from '../keys/restrictions.ts'
import { type ApiKey, apiKeyKind, apiKeyFacts } from './api-key.ts'

type EditingOptions = Omit<KeyEditingOptions<ApiKey, ApiKeyView>, 'kind' | 'factsOf'>

/** What the owner of an API key, or somebody on the owner's behalf, can do to it. */
export function createApiKeyEditing(options: EditingOptions) {
  const { change, now, view } = options
  const editing = createKeyEditing<ApiKey, ApiKeyView>({ ...options, kind: apiKeyKind, factsOf: apiKeyFacts })
  const { setEnabled, rotate } = editing

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

    setEnabled,
    delete: editing.delete,
    rotate,
    reveal: async (author: Author, id: string): Promise<string> => (await editing.reveal(author, id)).value,
  }
}
