import type { Database } from '../../server/platform/database.ts'
import { createUsageStore } from '../../server/usage/store.ts'
import { minuteMs } from '../../shared/durations.ts'

export interface PastUse {
  readonly accountId: string
  readonly keyId: string
  readonly endpoint: string
  readonly method: string
  /** Epoch ms. */
  readonly at: number
  readonly requests: number
}

/**
 * Calls as another process of the installation has counted and closed them: one in ten an error, 26 credits each. Needs
 * the database, where alone a past can be made.
 */
export async function makePastUsage(database: Database, uses: readonly PastUse[]): Promise<void> {
  const store = createUsageStore(database)
  const writer = `writer_past_${crypto.randomUUID()}`
  const rows = uses.map(({ at, requests, ...use }) => {
    const errors = Math.floor(requests / 10)
    const credits = requests * 26
    return {
      ...use,
      minute: Math.floor(at / minuteMs),
      requests,
      credits,
      creditsBack: 0,
      charged: credits,
      ok: requests - errors,
      errors,
      ...noneOf,
      bytesIn: requests * 120,
      bytesOut: requests * 300,
      latencies: `${requests}${'0'.repeat(16 * 12)}`,
    }
  })
  for (let first = 0; first < rows.length; first += rowsPerWrite)
    await store.write(writer, rows.slice(first, first + rowsPerWrite))
  await store.close(writer, null)
}

const noneOf = { rateLimited: 0, creditLimited: 0, cached: 0, unanswered: 0 }
const rowsPerWrite = 5_000
