import type { ConsoleUnderTest } from '../../scripts/world/console-under-test.ts'
import type { TestDatabase } from '../../scripts/world/database.ts'
import { dayMs } from '../../shared/durations.ts'

interface SomeKey {
  readonly name: string
  readonly permissions?: readonly ('statistics_read' | 'token_create' | 'gateway_use')[]
  readonly allowedIps?: readonly string[]
  readonly allowedDomains?: readonly string[]
  /** From now; a key that has ended does so now. */
  readonly endsInDays?: number
  readonly isDisabled?: boolean
  readonly createdDaysAgo: number
  readonly usedMinutesAgo?: number
}

/** As an account has them after a while: the oldest first. */
const someKeys: readonly SomeKey[] = [
  { name: 'Import of 2025', permissions: ['token_create'], createdDaysAgo: 210, usedMinutesAgo: 86_000, endsInDays: -3 }, // prettier-ignore
  { name: 'Grafana', permissions: ['statistics_read'], allowedIps: ['203.0.113.10'], createdDaysAgo: 180, usedMinutesAgo: 1 }, // prettier-ignore
  { name: 'Load test', permissions: ['token_create'], createdDaysAgo: 96, usedMinutesAgo: 40_000, isDisabled: true }, // prettier-ignore
  { name: 'Partner portal', permissions: ['statistics_read', 'token_create'], allowedDomains: ['*.example.com', 'example.com'], createdDaysAgo: 61, usedMinutesAgo: 12, endsInDays: 120 }, // prettier-ignore
  { name: 'Build server', permissions: ['token_create'], allowedIps: ['198.51.100.0/24', '2001:db8:40::/48'], createdDaysAgo: 45, usedMinutesAgo: 4 }, // prettier-ignore
  { name: 'Wallet app, staging', permissions: ['gateway_use'], createdDaysAgo: 25, usedMinutesAgo: 200, endsInDays: 5 }, // prettier-ignore
  { name: 'Billing export', permissions: ['statistics_read'], allowedIps: ['192.0.2.44'], createdDaysAgo: 9, usedMinutesAgo: 1_100, endsInDays: 356 }, // prettier-ignore
  { name: 'Agent of the support desk', permissions: ['gateway_use', 'statistics_read'], createdDaysAgo: 1 },
]

/** Gives the operator's account these keys, with a past. Needs the database, where alone a past can be made. */
export async function makeSomeKeys({ server, operator }: ConsoleUnderTest, { database }: TestDatabase) {
  const account = operator.address
  const keys = server.operator.operatorApiKeys
  for (const key of someKeys) {
    const { name, permissions = [], allowedIps = [], allowedDomains = [], endsInDays, isDisabled } = key
    const expiresAt = endsInDays === undefined || endsInDays < 0 ? null : Date.now() + endsInDays * dayMs
    const input = {
      account,
      name,
      permissions: [...permissions],
      allowedIps: [...allowedIps],
      allowedDomains: [...allowedDomains],
      expiresAt,
    }
    const { id } = (await keys.create.mutate(input)).key
    if (isDisabled === true) await keys.setEnabled.mutate({ account, id, isEnabled: false })
    const createdAt = new Date(Date.now() - key.createdDaysAgo * dayMs)
    const usedAt =
      key.usedMinutesAgo === undefined ? null : new Date(Date.now() - key.usedMinutesAgo * 60_000)
    await database.sql`UPDATE api_keys SET created_at = ${createdAt}, last_used_at = ${usedAt} WHERE id = ${id}`
    if (endsInDays === undefined || endsInDays >= 0) continue
    const endedAt = new Date(Date.now() + endsInDays * dayMs)
    await database.sql`UPDATE api_keys SET expires_at = ${endedAt} WHERE id = ${id}`
  }
}
