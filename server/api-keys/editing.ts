import { randomBytes } from 'node:crypto'

import { type ApiKeyInput, type ApiKeyView, isNotPast } from '../../shared/api-keys.ts'
import type { TransactionSql } from '../platform/database.ts'
import { fault } from '../platform/fault.ts'
import { randomId } from '../platform/ids.ts'
import type { Vault } from '../platform/vault.ts'
import { type ApiKey, factsOf } from './api-key.ts'
import type { Author, KeyChanges } from './changes.ts'
import { apiKeyPrefix, keyHint, keyRandomBytes, makeKey } from './key-format.ts'
import { readRestrictions } from './restrictions.ts'
import type { ApiKeyStore } from './store.ts'

/** What became of a change. Every living process refuses or accepts accordingly when `propagated` is true. */
export interface Changed {
  readonly key: ApiKeyView
  /** False: one of them did not say so within a second; it will within two. */
  readonly propagated: boolean
}

/** The value is told here, and later only by `reveal`. */
export interface Minted extends Changed {
  readonly value: string
}

export interface EditingOptions {
  readonly store: ApiKeyStore
  readonly vault: Vault
  readonly change: KeyChanges
  readonly hashOf: (value: string) => string
  /** Epoch ms, never running back. */
  readonly now: () => number
  readonly view: (key: ApiKey) => ApiKeyView
  readonly canReveal: boolean
}

/** All of them are held in memory. */
export const maxKeysOfAccount = 1_000

/** What the owner of a key, or somebody on the owner's behalf, can do to it. */
export function createEditing({ store, vault, change, hashOf, now, view, canReveal }: EditingOptions) {
  function mint(): { value: string; keyHash: string; hint: string } {
    const value = makeKey(apiKeyPrefix, randomBytes(keyRandomBytes))
    return { value, keyHash: hashOf(value), hint: keyHint(value) }
  }

  async function owned(sql: TransactionSql, { accountId }: Author, id: string): Promise<ApiKey> {
    const key = await store.lock(sql, accountId, id)
    if (key === null) throw fault('not_found', 'There is no API key of this id')
    return key
  }

  async function edit(
    author: Author,
    id: string,
    action: 'update' | 'enable' | 'disable' | 'rotate',
    edited: (before: ApiKey) => ApiKey,
    newValue: string | null = null,
  ): Promise<Changed> {
    const { result, propagated } = await change(author, action, async (sql) => {
      const before = await owned(sql, author, id)
      const key = edited(before)
      await store.save(sql, key, newValue === null ? null : vault.seal(newValue, sealedPlace(key)))
      return { id, before: factsOf(before), after: factsOf(key), result: key }
    })
    return { key: view(result), propagated }
  }

  return {
    /** Faults: `invalid_request`; `conflict` when the account has as many keys as it may have. */
    async create(author: Author, input: ApiKeyInput): Promise<Minted> {
      const createdAt = now()
      const { value, ...minted } = mint()
      const key: ApiKey = {
        ...minted,
        id: randomId('key'),
        accountId: author.accountId,
        name: input.name,
        permissions: input.permissions,
        ...readRestrictions(input, createdAt, null),
        isEnabled: true,
        previous: null,
        createdAt,
        lastUsedAt: null,
      }
      const { propagated } = await change(author, 'create', async (sql) => {
        if ((await store.count(sql, author.accountId)) >= maxKeysOfAccount) {
          throw fault('conflict', `An account has at most ${maxKeysOfAccount} API keys: delete one first`)
        }
        await store.insert(sql, key, vault.seal(value, sealedPlace(key)))
        return { id: key.id, after: factsOf(key), result: key }
      })
      return { key: view(key), value, propagated }
    },

    /** Replaces everything that can be edited. Faults: `not_found`, `invalid_request`. */
    update(author: Author, id: string, input: ApiKeyInput): Promise<Changed> {
      const { name, permissions } = input
      return edit(author, id, 'update', (before) => ({
        ...before,
        name,
        permissions,
        ...readRestrictions(input, now(), before.expiresAt),
      }))
    },

    /** Fault: `not_found`. */
    setEnabled(author: Author, id: string, isEnabled: boolean): Promise<Changed> {
      return edit(author, id, isEnabled ? 'enable' : 'disable', (before) => ({ ...before, isEnabled }))
    },

    /** For good. Fault: `not_found`. */
    async delete(author: Author, id: string): Promise<{ propagated: boolean }> {
      const { propagated } = await change(author, 'delete', async (sql) => {
        const before = await owned(sql, author, id)
        await store.remove(sql, id)
        return { id, before: factsOf(before), result: null }
      })
      return { propagated }
    },

    /**
     * Gives a key a new value. The one it has works for `overlapMs` beside it; one that was before it ends at once.
     * Fault: `not_found`.
     */
    async rotate(author: Author, id: string, overlapMs: number): Promise<Minted> {
      const { value, keyHash, hint } = mint()
      const at = now()
      const rotated = (before: ApiKey): ApiKey => ({
        ...before,
        keyHash,
        hint,
        previous: previousOf(before, at, overlapMs),
      })
      return { ...(await edit(author, id, 'rotate', rotated, value)), value }
    },

    /**
     * The value of a key, for its owner. The caller has made sure that it is the owner who asks: by a sign-in or a
     * signature of a short while ago. Faults: `forbidden` where the installation does not allow it, `not_found`.
     */
    async reveal(author: Author, id: string): Promise<string> {
      if (!canReveal) throw fault('forbidden', 'This installation does not show keys again: rotate the key')
      return await change.recordOnly(author, 'reveal', async (sql) => {
        const key = await owned(sql, author, id)
        const value = vault.open(await store.sealedValue(sql, id), sealedPlace(key))
        return { id, result: value }
      })
    },
  }
}

/** With the owner: a sealed value that somebody moved to a row of another account does not open. */
const sealedPlace = ({ id, accountId }: ApiKey): string => `api_keys:${id}:key:${accountId}`

const previousOf = ({ keyHash, hint }: ApiKey, at: number, overlapMs: number): ApiKey['previous'] =>
  isNotPast(at + overlapMs, at) ? { hash: keyHash, hint, endsAt: at + overlapMs } : null
