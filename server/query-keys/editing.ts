import type { InvalidField } from '../../shared/faults.ts'
import type {
  CreatedQueryKey,
  DefaultLimits,
  QueryKeyEdit,
  QueryKeyForm,
  QueryKeyInput,
  QueryKeyView,
} from '../../shared/query-keys.ts'
import type { TransactionSql } from '../platform/database.ts'
import { fault } from '../platform/fault.ts'
import type { Author } from '../keys/changes.ts'
import type { Changed, Minted, NewKey } from '../keys/editing.ts'
import type { Keys } from '../keys/keys.ts'
import { readRestrictions } from '../keys/restrictions.ts'
import { describeFields } from '../platform/validation-text.ts'
import type { Idempotency, RepeatableRequest } from './idempotency/idempotency.ts'
import { type QueryKey, createdKey } from './query-key.ts'
import { type KnownNames, effectiveLimits, unknownNames } from './terms.ts'

interface EditingOptions {
  readonly idempotency: Idempotency
  readonly known: () => KnownNames
  readonly defaultLimits: () => DefaultLimits
  readonly urlOf: (endpoint: string, value: string) => string
}

/** A new value with the address at which it works. */
export interface MintedQueryKey extends Minted<QueryKeyView> {
  readonly url: string
}

/** What the owner of a query key, or somebody on the owner's behalf, can do to it. */
export function createQueryKeyEditing(
  { change, now, view, editing }: Keys<QueryKey, QueryKeyView>,
  { idempotency, known, defaultLimits, urlOf }: EditingOptions,
) {
  function newKey(author: Author, form: QueryKeyForm): NewKey<QueryKey> {
    const { key, value } = editing.newKey(author, form)
    const { type, endpoint } = form
    return { key: { ...key, type, endpoint, ...effectiveLimits(form, defaultLimits()) }, value }
  }

  const withUrl = (minted: Minted<QueryKeyView>): MintedQueryKey => ({
    ...minted,
    url: urlOf(minted.key.endpoint, minted.value),
  })

  async function insertAll(
    sql: TransactionSql,
    author: Author,
    inputs: readonly QueryKeyInput[],
    request: RepeatableRequest | null,
  ) {
    refuse(inputs.flatMap((input, place) => unknownNames(input, known()).map(at(place))))
    const made = inputs.map((input) => newKey(author, { ...input, ...unrestricted }))
    const { keys } = await editing.insert(sql, author, made)
    const result = made.map(({ key, value }) => createdKey(key, value, urlOf(key.endpoint, value)))
    if (request !== null) await idempotency.keep(sql, request, JSON.stringify(result))
    return { keys, result }
  }

  return {
    /** Faults: `invalid_request`; `conflict` when the account has as many keys as it may have. */
    async create(author: Author, form: QueryKeyForm): Promise<MintedQueryKey> {
      refuse(unknownNames(form, known()))
      const made = newKey(author, form)
      const { propagated } = await change(author, 'create', (sql) => editing.insert(sql, author, [made]))
      return withUrl({ key: view(made.key), value: made.value, propagated })
    },

    /**
     * Creates all of them, or none. With an `idempotencyKey` a repetition within 24 h gets the first answer again.
     * Faults: as of `create`; `conflict` for another request with the same key, or one that is under way.
     */
    async createAll(
      author: Author,
      inputs: readonly QueryKeyInput[],
      idempotencyKey: string | null,
    ): Promise<CreatedQueryKey[]> {
      const request =
        idempotencyKey === null
          ? null
          : { accountId: author.accountId, key: idempotencyKey, content: JSON.stringify(inputs) }
      const { result } = await change(
        author,
        'create',
        (sql) => insertAll(sql, author, inputs, request),
        async (sql) => {
          const earlier = request === null ? null : await idempotency.earlierAnswer(sql, request)
          return earlier === null ? null : (JSON.parse(earlier) as CreatedQueryKey[])
        },
      )
      return result
    },

    /** Replaces everything that can be edited. Faults: `not_found`, `invalid_request`. */
    update(author: Author, id: string, edit: QueryKeyEdit): Promise<Changed<QueryKeyView>> {
      return editing.update(author, id, (before) => {
        // A type that was taken off the list may stay.
        if (edit.type !== before.type) refuse(unknownNames({ type: edit.type }, known()))
        return {
          ...before,
          name: edit.name,
          type: edit.type,
          ...effectiveLimits(edit, defaultLimits()),
          ...readRestrictions(edit, now(), before.expiresAt),
        }
      })
    },

    setEnabled: editing.setEnabled,
    delete: editing.delete,
    rotate: async (author: Author, id: string, overlapMs: number): Promise<MintedQueryKey> =>
      withUrl(await editing.rotate(author, id, overlapMs)),
    async reveal(author: Author, id: string): Promise<{ value: string; url: string }> {
      const { key, value } = await editing.reveal(author, id)
      return { value, url: urlOf(key.endpoint, value) }
    },
  }
}

/** Over REST a key has the fields of the specification only. */
const unrestricted = { allowedIps: [], allowedDomains: [], expiresAt: null }

const at =
  (place: number) =>
  ({ path, message }: InvalidField): InvalidField => ({ path: [place, ...path], message })

function refuse(problems: readonly InvalidField[]): void {
  if (problems.length > 0) throw fault('invalid_request', describeFields(problems), { fields: problems })
}
