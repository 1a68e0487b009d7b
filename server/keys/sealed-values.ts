import type { SealedColumn } from '../platform/resealing.ts'
import type { KeyKind } from './stored-key.ts'

type Table = KeyKind['table']

/** With the owner: a sealed value that somebody moved to a row of another account does not open. */
export const sealedPlace = (table: Table, id: string, accountId: string): string =>
  `${table}:${id}:key:${accountId}`

/** The values of all keys of a kind. */
export const sealedValuesOf = (table: Table): SealedColumn => ({
  table,
  column: 'key_sealed',
  key: 'id',
  owner: 'account_id',
  place: (id, accountId) => sealedPlace(table, id, accountId),
})
