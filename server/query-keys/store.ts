import type { Limit } from '../../shared/limits.ts'
import type { Period } from '../../shared/periods.ts'
import type { Database, TransactionSql } from '../platform/database.ts'
import { type KeyStore, createKeyStore } from '../keys/key-store.ts'
import {
  type KeyOwnerRow,
  type StoredKeyRow,
  createStoredKeyReader,
  storedKeyColumns,
  storedKeyRow,
} from '../keys/rows.ts'
import { type KeyPlans, noFurther } from './terms.ts'
import { type QueryKey, queryKeyKind } from './query-key.ts'

interface QueryKeyRow extends StoredKeyRow {
  type: string
  endpoint: string
  rate_units: string | null
  rate_period: Period | null
  credits_units: string | null
  credits_period: Period | null
  allowed_methods: string[]
  allowed_contracts: string[]
  more_endpoints: string[]
  debug_ends_at: Date | null
}

/** Creates the store of query keys in PostgreSQL. */
export function createQueryKeyStore(
  database: Database,
  furtherLimitsOf: KeyPlans['furtherLimitsOf'],
): KeyStore<QueryKey> {
  const toStoredKey = createStoredKeyReader()
  return createKeyStore<QueryKey, QueryKeyRow>(database, {
    kind: queryKeyKind,
    columns: [
      ...storedKeyColumns,
      'type',
      'endpoint',
      'rate_units',
      'rate_period',
      'credits_units',
      'credits_period',
      'allowed_methods',
      'allowed_contracts',
      'more_endpoints',
      'debug_ends_at',
    ],
    toKey: (row) => ({
      ...toStoredKey(row),
      type: row.type,
      endpoint: row.endpoint,
      ...limitsIn(row, furtherLimitsOf),
      allowedMethods: row.allowed_methods,
      allowedContracts: row.allowed_contracts,
      moreEndpoints: row.more_endpoints,
      debugEndsAt: row.debug_ends_at?.getTime() ?? null,
    }),
    toRow: (key) => ({
      ...storedKeyRow(key),
      type: key.type,
      endpoint: key.endpoint,
      rate_units: key.rate?.units ?? null,
      rate_period: key.rate?.period ?? null,
      credits_units: key.credits?.units ?? null,
      credits_period: key.credits?.period ?? null,
      allowed_methods: [...key.allowedMethods],
      allowed_contracts: [...key.allowedContracts],
      more_endpoints: [...key.moreEndpoints],
      debug_ends_at: key.debugEndsAt === null ? null : new Date(key.debugEndsAt),
    }),
  })
}

/** Resolves to the number of query keys for an endpoint. It needs no key in memory, so endpoints ask it before keys exist. */
export async function countQueryKeys(sql: TransactionSql, endpoint: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM query_keys
    WHERE endpoint = ${endpoint} OR ${endpoint} = ANY (more_endpoints)`
  return row?.count ?? 0
}

function limitsIn(row: QueryKeyRow & KeyOwnerRow, furtherLimitsOf: KeyPlans['furtherLimitsOf']) {
  const rate = limitOf(row.rate_units, row.rate_period)
  const credits = limitOf(row.credits_units, row.credits_period)
  const { id, account_id: accountId, owner_plan: plan = null } = row
  const further = plan === null ? noFurther : furtherLimitsOf(plan, { id, accountId, rate, credits })
  return { rate, credits, further }
}

/** The driver gives a bigint as text; the bound of a limit is far below 2^53. */
const limitOf = (units: string | null, period: Period | null): Limit | null =>
  units === null || period === null ? null : { units: Number(units), period }
