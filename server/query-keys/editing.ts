import type { InvalidField } from '../../shared/faults.ts'
import {
  type CreatedQueryKey,
  type DefaultLimits,
  type QueryKeyEdit,
  type QueryKeyForm,
  type QueryKeyView,
  WholeLimits,
} from '../../shared/query-keys.ts'
import type { QueryKeyChange } from '../../shared/query-key-resources.ts'
import type { TransactionSql } from '../platform/database.ts'
import { Fault, fault } from '../platform/fault.ts'
import type { Author } from '../keys/changes.ts'
import type { Changed, Minted, NewKey, Valued } from '../keys/editing.ts'
import type { Keys } from '../keys/keys.ts'
import { readRestrictions } from '../keys/restrictions.ts'
import { describeFields, findInvalid } from '../platform/validation-text.ts'
import type { Idempotency, Once, RepeatableRequest } from '../platform/idempotency/idempotency.ts'
import { restrictionTexts } from '../keys/stored-key.ts'
import { type QueryKey, createdKey, debugEndsAfter, toQueryKeyView } from './query-key.ts'
import {
  type KnownNames,
  type PlanCaps,
  callListsOf,
  completeLimits,
  effectiveLimits,
  noFurther,
  unknownFurther,
  unknownNames,
} from './terms.ts'

interface EditingOptions {
  readonly idempotency: Idempotency
  readonly known: () => KnownNames
  readonly defaultLimits: () => DefaultLimits
  readonly caps: PlanCaps
  readonly urlOf: (endpoint: string, value: string) => string
}

/** A new value with the address at which it works. */
export interface MintedQueryKey extends Minted<QueryKeyView> {
  readonly url: string
}

/** What the owner of a query key, or somebody on the owner's behalf, can do to it. */
export function createQueryKeyEditing(
  { change, now, editing }: Keys<QueryKey, QueryKeyView>,
  { idempotency, known, defaultLimits, caps, urlOf }: EditingOptions,
) {
  function newKey(author: Author, form: QueryKeyForm): NewKey<QueryKey> {
    const { key, value } = editing.newKey(author, form)
    const { type, endpoint } = form
    const terms = { ...effectiveLimits(form, defaultLimits()), ...callListsOf(form) }
    return { key: { ...key, type, endpoint, ...terms, further: noFurther, debugEndsAt: null }, value }
  }

  const withUrl = (minted: Minted<QueryKeyView>): MintedQueryKey => ({
    ...minted,
    url: urlOf(minted.key.endpoint, minted.value),
  })

  async function insertAll(
    sql: TransactionSql,
    author: Author,
    forms: readonly QueryKeyForm[],
    once: Once<CreatedQueryKey[]> | null,
  ) {
    refuse(forms.flatMap((form, place) => unknownNames(form, known()).map(at(place))))
    const made = forms.map((form, place) => atPlace(place, () => newKey(author, form)))
    const capped = await caps.ofNew(sql, author.accountId, made, (problems) =>
      refuse(problems.flatMap((some, place) => some.map(at(place)))),
    )
    const { keys } = await editing.insert(sql, author, capped)
    const result = capped.map(({ key, value }) => createdKey(key, value, urlOf(key.endpoint, value)))
    await once?.keep(sql, result)
    return { keys, result }
  }

  const update = (author: Author, id: string, edited: (before: QueryKey) => QueryKey) =>
    editing.update(author, id, (before, sql) => caps.ofEdited(sql, before, edited(before), refuse))

  return {
    /** Faults: `invalid_request`; `conflict` when the account has as many keys as it may have. */
    async create(author: Author, form: QueryKeyForm): Promise<MintedQueryKey> {
      refuse(unknownNames(form, known()))
      const made = newKey(author, form)
      const work = async (sql: TransactionSql) => {
        const capped = await caps.ofNew(sql, author.accountId, [made], (problems) => refuse(problems.flat()))
        const { keys } = await editing.insert(sql, author, capped)
        return { keys, result: toQueryKeyView((capped[0] ?? made).key, null, now()) }
      }
      const { result, propagated } = await change(author, 'create', work)
      return withUrl({ key: result, value: made.value, propagated })
    },

    /**
     * Creates all of them, or none. With an `idempotencyKey` a repetition within 24 h gets the first answer again, uncounted.
     * Faults: as of `create` and `count`; `conflict` for another request with the same key, or one that is under way.
     */
    async createAll(
      author: Author,
      forms: readonly QueryKeyForm[],
      idempotencyKey: string | null,
      count: CountChange = uncounted,
    ): Promise<CreatedQueryKey[]> {
      const once = idempotency.onceIfKeyed<CreatedQueryKey[]>(repeatable(author, idempotencyKey, forms))
      if ((await once?.wasMade()) !== true) await count()
      return (await change(author, 'create', (sql) => insertAll(sql, author, forms, once), once?.earlier))
        .result
    },

    /** Changes what is named and leaves the rest as it is. Faults: `not_found`, `invalid_request`. */
    change(
      author: Author,
      id: string,
      { enabled, ...named }: QueryKeyChange,
    ): Promise<Changed<QueryKeyView>> {
      if (enabled !== undefined && Object.keys(named).length === 0) {
        return editing.setEnabled(author, id, enabled)
      }
      return update(author, id, (before) => ({
        ...changedBy(named, before, known(), now()),
        isEnabled: enabled ?? before.isEnabled,
      }))
    },

    /** Replaces everything that can be edited. Faults: `not_found`, `invalid_request`. */
    update(author: Author, id: string, edit: QueryKeyEdit): Promise<Changed<QueryKeyView>> {
      return update(author, id, (before) => {
        // A type that was taken off the list may stay.
        if (edit.type !== before.type) refuse(unknownNames({ type: edit.type }, known()))
        refuse(unknownFurther(edit.moreEndpoints, before, known()))
        return {
          ...before,
          name: edit.name,
          type: edit.type,
          ...effectiveLimits(edit, defaultLimits()),
          ...callListsOf(edit),
          ...readRestrictions(edit, now(), before.expiresAt),
        }
      })
    },

    setEnabled: editing.setEnabled,
    delete: editing.delete,
    /** Faults: `not_found`; with an `idempotencyKey` as of `createAll`. */
    async rotate(
      author: Author,
      id: string,
      overlapMs: number,
      idempotencyKey: string | null = null,
      count: CountChange = uncounted,
    ): Promise<MintedQueryKey> {
      const asked = repeatable(author, idempotencyKey, { rotate: id, overlapMs })
      const once = idempotency.onceIfKeyed<Valued<QueryKeyView>>(asked)
      if ((await once?.wasMade()) !== true) await count()
      return withUrl(await editing.rotate(author, id, overlapMs, once))
    },
    async reveal(author: Author, id: string): Promise<{ value: string; url: string }> {
      const { key, value } = await editing.reveal(author, id)
      return { value, url: urlOf(key.endpoint, value) }
    },
  }
}

/** Returns a key with what is named changed. Fault: `invalid_request`. */
function changedBy(
  named: Omit<QueryKeyChange, 'enabled'>,
  before: QueryKey,
  known: KnownNames,
  now: number,
): QueryKey {
  const { name = before.name, type = before.type } = named
  if (type !== before.type) refuse(unknownNames({ type }, known))
  const texts = restrictionTexts(before)
  const { allowedIps = texts.allowedIps, allowedDomains = texts.allowedDomains } = named
  const { allowedMethods = before.allowedMethods, allowedContracts = before.allowedContracts } = named
  const { moreEndpoints = before.moreEndpoints, expiresAt = before.expiresAt, debug } = named
  refuse(unknownFurther(moreEndpoints, before, known))
  const limits = completeLimits(named, before)
  refuse(findInvalid(WholeLimits, limits))
  return {
    ...before,
    name,
    type,
    ...effectiveLimits(limits, before),
    ...callListsOf({ allowedMethods, allowedContracts, moreEndpoints }),
    ...readRestrictions({ allowedIps, allowedDomains, expiresAt }, now, before.expiresAt),
    debugEndsAt: debug === undefined ? before.debugEndsAt : debugEndsAfter(now, debug),
  }
}

/** Counts a change of the account that is about to be made. Fault: `rate_limited`. */
type CountChange = () => Promise<void>
const uncounted: CountChange = () => Promise.resolve()

const repeatable = (author: Author, key: string | null, asked: unknown): RepeatableRequest | null =>
  key === null ? null : { accountId: author.accountId, key, content: JSON.stringify(asked) }

const at =
  (place: number) =>
  ({ path, message }: InvalidField): InvalidField => ({ path: [place, ...path], message })

/** Names the entry in what its reading refuses. Fault: `invalid_request`. */
function atPlace<Result>(place: number, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Fault) || error.fields.length === 0) throw error
    const fields = error.fields.map(at(place))
    throw fault('invalid_request', describeFields(fields), { fields })
  }
}

function refuse(problems: readonly InvalidField[]): void {
  if (problems.length > 0) throw fault('invalid_request', describeFields(problems), { fields: problems })
}
