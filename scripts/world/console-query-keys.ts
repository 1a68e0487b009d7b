import type { Limit } from '../../shared/limits.ts'
import { Period } from '../../shared/periods.ts'
import type { ConsoleUnderTest } from './console-under-test.ts'
import type { TestDatabase } from './database.ts'
import { dayMs, minuteMs } from '../../shared/durations.ts'

export interface SomeQueryKey {
  readonly name: string
  readonly endpoint: 'ethereum' | 'base' | 'polygon'
  readonly type?: 'freeRPC' | 'partner'
  /** `100/hour`; without it the default of the installation. */
  readonly rate?: string
  readonly credits?: string
  readonly allowedIps?: readonly string[]
  readonly allowedDomains?: readonly string[]
  /** From now; a key that has ended does so now. */
  readonly endsInDays?: number
  readonly isDisabled?: boolean
  readonly createdDaysAgo: number
  readonly usedMinutesAgo?: number
  /** Made just now. */
  readonly calls?: number
}

/** As an account has them after a while: the oldest first. */
const someKeys: readonly SomeQueryKey[] = [
  { name: 'Hackathon of 2025', endpoint: 'polygon', createdDaysAgo: 190, usedMinutesAgo: 216_000, endsInDays: -140 }, // prettier-ignore
  { name: 'Indexer', endpoint: 'ethereum', type: 'partner', rate: '300/second', credits: '2000/minute', allowedIps: ['198.51.100.0/24', '2001:db8:40::/48'], createdDaysAgo: 160, usedMinutesAgo: 1 }, // prettier-ignore
  { name: 'Load test', endpoint: 'base', rate: '5000/second', createdDaysAgo: 88, usedMinutesAgo: 61_000, isDisabled: true }, // prettier-ignore
  { name: 'Shop website', endpoint: 'base', credits: '250000/day', allowedDomains: ['*.example.com', 'example.com'], createdDaysAgo: 64, usedMinutesAgo: 2 }, // prettier-ignore
  { name: 'Public demo', endpoint: 'polygon', rate: '50/day', createdDaysAgo: 41, calls: 50 },
  { name: 'Price feed', endpoint: 'ethereum', rate: '120/minute', credits: '40000/month', allowedIps: ['203.0.113.10'], createdDaysAgo: 33, usedMinutesAgo: 4 }, // prettier-ignore
  { name: 'Partner sandbox', endpoint: 'ethereum', type: 'partner', credits: '1000/week', createdDaysAgo: 12, calls: 43, endsInDays: 9 }, // prettier-ignore
  { name: 'Mobile app, beta', endpoint: 'base', rate: '20/second', createdDaysAgo: 3, endsInDays: 87 },
  { name: 'Wallet backend', endpoint: 'ethereum', type: 'partner', rate: '100/hour', credits: '5000/day', allowedIps: ['127.0.0.0/8'], createdDaysAgo: 1, calls: 64 }, // prettier-ignore
]

/** A key of `makeSomeQueryKeys`, as the server made it. */
export interface StoredQueryKey {
  readonly id: string
  readonly hint: string
  readonly name: string
}

/**
 * Gives the operator's account these keys, with a past and with calls just now. The installation has the endpoints and
 * types that they name. Needs the database, where alone a past can be made.
 */
export async function makeSomeQueryKeys(
  subject: ConsoleUnderTest,
  { database: { sql } }: TestDatabase,
  wanted = someKeys,
): Promise<StoredQueryKey[]> {
  const account = subject.operator.address
  const keys = subject.server.operator.operatorQueryKeys
  const called: { endpoint: string; value: string; calls: number }[] = []
  const stored: StoredQueryKey[] = []
  for (const key of wanted) {
    const { endpoint, endsInDays = null, createdDaysAgo, usedMinutesAgo, calls = 0 } = key
    const { key: made, value } = await keys.create.mutate({ account, ...formOf(key) })
    const { id } = made
    stored.push({ id, hint: made.hint, name: key.name })
    called.push({ endpoint, value, calls })
    if (key.isDisabled === true) await keys.setEnabled.mutate({ account, id, isEnabled: false })
    await sql`UPDATE query_keys SET created_at = ${daysFromNow(-createdDaysAgo)} WHERE id = ${id}`
    if (endsInDays !== null && endsInDays < 0) {
      await sql`UPDATE query_keys SET expires_at = ${daysFromNow(endsInDays)} WHERE id = ${id}`
    }
    if (usedMinutesAgo === undefined) continue
    await sql`
      INSERT INTO usage_keys (id, account_id, endpoint, last_used_at)
      SELECT id, account_id, endpoint, ${daysFromNow((-usedMinutesAgo * minuteMs) / dayMs)}
      FROM query_keys WHERE id = ${id}`
  }
  await subject.restart() // a running server reads only what other servers noted lately
  for (const { endpoint, value, calls } of called) {
    if (calls > 0) await callWith(subject.server.url, endpoint, value, calls)
  }
  return stored
}

const daysFromNow = (days: number): Date => new Date(Date.now() + days * dayMs)

function formOf({ name, type = 'freeRPC', endpoint, rate, credits, endsInDays = 0, ...key }: SomeQueryKey) {
  const [rateLimit, creditsLimit] = [limitIn(rate), limitIn(credits)]
  return {
    name,
    type,
    endpoint,
    ...(rateLimit && { rateLimit: rateLimit.units, rateLimitPeriod: rateLimit.period }),
    ...(creditsLimit && { creditsLimit: creditsLimit.units, creditsLimitPeriod: creditsLimit.period }),
    allowedIps: [...(key.allowedIps ?? [])],
    allowedDomains: [...(key.allowedDomains ?? [])],
    expiresAt: endsInDays <= 0 ? null : daysFromNow(endsInDays).getTime(),
  }
}

function limitIn(text: string | undefined): Limit | null {
  if (text === undefined) return null
  const [units = '', period] = text.split('/')
  return { units: Number(units), period: Period.parse(period) }
}

/** Sends calls in one request, as an app does. */
export function callWith(url: string, endpoint: string, key: string, calls = 1): Promise<Response> {
  const batch = Array.from({ length: calls }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'eth_blockNumber',
    params: [],
  }))
  return fetch(`${url}/rpc/${endpoint}/${key}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(calls === 1 ? batch[0] : batch),
  })
}
