import { randomBytes } from 'node:crypto'

import { isNotPast } from '../../shared/api-keys.ts'
import type { TransactionSql } from '../platform/database.ts'
import { fault } from '../platform/fault.ts'
import type { Once } from '../platform/idempotency/idempotency.ts'
import { randomId } from '../platform/ids.ts'
import type { Vault } from '../platform/vault.ts'
import { type KeyKind, type StoredKey, sealedPlace } from './stored-key.ts'
import type { Author, KeyChangeAction, KeyChanges, KeyChangeOutcome } from './changes.ts'
import { keyHint, keyRandomBytes, generateKey } from './key-value.ts'
import type { KeyStore } from './key-store.ts'
import { type RestrictedInput, readRestrictions } from './restrictions.ts'

/** The key after a change. */
export interface Changed<View> {
  readonly key: View
  /**
   * True when all living processes have applied the change. False when one has not confirmed it within a second; it will
   * apply it within two, or once it reaches the database.
   */
  readonly propagated: boolean
}

/** A key with its new value, which is returned once here, and later only by `reveal`. */
export interface Valued<View> {
  readonly key: View
  readonly value: string
}

export interface Minted<View> extends Changed<View>, Valued<View> {}

/** Returns how many keys an account may have. It is called in the transaction that adds keys. */
export type KeyCap = (sql: TransactionSql, accountId: string) => Promise<number>

/** Returns a key as it is to be, in the transaction of the change. */
type EditKey<Key extends StoredKey> = (before: Key, sql: TransactionSql) => Key | Promise<Key>

/** What statistics show of a key. */
export interface LabelledKey extends Pick<StoredKey, 'id' | 'accountId' | 'name' | 'hint'> {
  /** The one that it is made for. */
  readonly endpoint?: string
}

/** Keeps what a key is called after a change, or was called when it was deleted, in the transaction of the change. */
export type KeepLabel = (sql: TransactionSql, key: LabelledKey, isDeleted: boolean) => Promise<void>

/** A key that is not stored yet, with its value. */
export interface NewKey<Key extends StoredKey> {
  readonly key: Key
  readonly value: string
}

interface KeyEditingOptions<Key extends StoredKey, View> {
  readonly kind: KeyKind
  readonly store: KeyStore<Key>
  readonly vault: Vault
  readonly change: KeyChanges
  readonly hashOf: (value: string) => string
  /** Returns epoch ms that never decrease. */
  readonly now: () => number
  /** What the owner sees of a key, read in the transaction of its change. */
  readonly view: (key: Key, sql: TransactionSql) => Promise<View>
  /** Returns the fields of a key that the audit log records. */
  readonly factsOf: (key: Key) => Readonly<Record<string, unknown>>
  readonly canReveal: boolean
  readonly keyCap: KeyCap
  readonly keepLabel: KeepLabel
}

/** Creates the use cases that owners, and operators on their behalf, have for keys of one kind. */
export function createKeyEditing<Key extends StoredKey, View>(options: KeyEditingOptions<Key, View>) {
  const { kind, store, vault, change, hashOf, now, view, factsOf, canReveal, keyCap, keepLabel } = options

  const placeOf = ({ id, accountId }: Key): string => sealedPlace(kind.table, id, accountId)

  async function owned(sql: TransactionSql, { accountId }: Author, id: string): Promise<Key> {
    const key = await store.lock(sql, accountId, id)
    if (key === null) throw fault('not_found', `There is no ${kind.label} of this id`)
    return key
  }

  /** Stores what `edited` returns; `value` null: the value stays. */
  async function save(
    sql: TransactionSql,
    author: Author,
    id: string,
    edited: EditKey<Key>,
    value: string | null,
  ): Promise<KeyChangeOutcome<View>> {
    const before = await owned(sql, author, id)
    const key = await edited(before, sql)
    await store.save(sql, key, value === null ? null : vault.seal(value, placeOf(key)))
    await keepLabel(sql, key, false)
    return { keys: [{ id, before: factsOf(before), after: factsOf(key) }], result: await view(key, sql) }
  }

  async function edit(
    author: Author,
    id: string,
    action: KeyChangeAction,
    edited: EditKey<Key>,
  ): Promise<Changed<View>> {
    const { result, propagated } = await change(author, action, (sql) => save(sql, author, id, edited, null))
    return { key: result, propagated }
  }

  return {
    /** Returns a new key with a random value; it is not stored. Fault: `invalid_request`. */
    newKey: (author: Author, input: KeyInput): NewKey<StoredKey> =>
      newKey(author, input, kind, hashOf, now()),

    /** Stores new keys of one account, all of them or none. Fault: `conflict` when the account would have too many. */
    async insert(
      sql: TransactionSql,
      { accountId }: Author,
      added: readonly NewKey<Key>[],
    ): Promise<KeyChangeOutcome<null>> {
      // Exact, because changes of keys wait for each other: nobody else can add any until this transaction ends.
      const most = Math.min(kind.maxOfAccount, await keyCap(sql, accountId))
      if ((await store.count(sql, accountId)) + added.length > most) {
        const cap = most.toLocaleString('en-US')
        throw fault('conflict', `An account has at most ${cap} ${kind.label}s: delete one first`)
      }
      await store.insert(
        sql,
        added.map(({ key, value }) => ({ key, sealedValue: vault.seal(value, placeOf(key)) })),
      )
      return { keys: added.map(({ key }) => ({ id: key.id, after: factsOf(key) })), result: null }
    },

    /** Replaces a key with what `edited` returns. Faults: `not_found`, and those of `edited`. */
    update: (author: Author, id: string, edited: EditKey<Key>): Promise<Changed<View>> =>
      edit(author, id, 'update', edited),

    /** Enables or disables a key. Fault: `not_found`. */
    setEnabled: (author: Author, id: string, isEnabled: boolean): Promise<Changed<View>> =>
      edit(author, id, isEnabled ? 'enable' : 'disable', (before) => ({ ...before, isEnabled })),

    /** Deletes a key permanently. Fault: `not_found`. */
    async delete(author: Author, id: string): Promise<{ propagated: boolean }> {
      const { propagated } = await change(author, 'delete', async (sql) => {
        const before = await owned(sql, author, id)
        await store.remove(sql, id)
        await keepLabel(sql, before, true)
        return { keys: [{ id, before: factsOf(before) }], result: null }
      })
      return { propagated }
    },

    /**
     * Gives a key a new value. The current value works for another `overlapMs`; a value before that ends at once. With
     * `once`, a repetition returns the answer of the first time. Fault: `not_found`.
     */
    async rotate(
      author: Author,
      id: string,
      overlapMs: number,
      once: Once<Valued<View>> | null = null,
    ): Promise<Minted<View>> {
      const { value, keyHash, hint } = newValue(kind, hashOf)
      const at = now()
      const rotated = (before: Key): Key => ({
        ...before,
        keyHash,
        hint,
        previous: previousOf(before, at, overlapMs),
      })
      const work = async (sql: TransactionSql): Promise<KeyChangeOutcome<Valued<View>>> => {
        const { keys, result: key } = await save(sql, author, id, rotated, value)
        await once?.keep(sql, { key, value })
        return { keys, result: { key, value } }
      }
      const { result, propagated } = await change(author, 'rotate', work, once?.earlier)
      return { ...result, propagated }
    },

    /**
     * Returns a key with its value. The caller must have verified a recent sign-in or signature of the owner. Faults:
     * `forbidden` when the installation does not allow it, `not_found`.
     */
    async reveal(author: Author, id: string): Promise<{ key: Key; value: string }> {
      if (!canReveal) throw fault('forbidden', 'This installation does not show keys again: rotate the key')
      return await change.recordOnly(author, 'reveal', async (sql) => {
        const key = await owned(sql, author, id)
        const value = vault.open(await store.sealedValue(sql, id), placeOf(key))
        return { keys: [{ id }], result: { key, value } }
      })
    },
  }
}

const previousOf = ({ keyHash, hint }: StoredKey, at: number, overlapMs: number): StoredKey['previous'] =>
  isNotPast(at + overlapMs, at) ? { hash: keyHash, hint, endsAt: at + overlapMs } : null

type KeyInput = RestrictedInput & { readonly name: string }

function newKey(
  { accountId }: Author,
  input: KeyInput,
  kind: KeyKind,
  hashOf: (value: string) => string,
  createdAt: number,
): NewKey<StoredKey> {
  const { value, ...hashed } = newValue(kind, hashOf)
  const key = {
    ...hashed,
    id: randomId(kind.idPrefix),
    accountId,
    name: input.name,
    ...readRestrictions(input, createdAt, null),
    isEnabled: true,
    isSuspended: false,
    previous: null,
    createdAt,
  }
  return { key, value }
}

function newValue({ prefix }: KeyKind, hashOf: (value: string) => string) {
  const value = generateKey(prefix, randomBytes(keyRandomBytes))
  return { value, keyHash: hashOf(value), hint: keyHint(value) }
}
