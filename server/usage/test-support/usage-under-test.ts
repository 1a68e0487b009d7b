import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { silentLog } from '../../../scripts/world/database.ts'
import type { Database } from '../../platform/database.ts'
import { createMetrics } from '../../platform/metrics.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import { createUsage, type KeyLabel, type MeteredKey, type Usage } from '../usage.ts'

/** A clock that stands still until it is moved. */
export interface ManualClock extends SteadyClock {
  at: number
}

export function manualClock(at = Date.UTC(2026, 0, 15, 12, 30)): ManualClock {
  const clock = { at, now: () => clock.at, earliest: () => clock.at, latest: () => clock.at }
  return clock
}

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'gatehouse-usage-'))
export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true })

export interface UsageUnderTest {
  readonly folder: string
  readonly clock: ManualClock
  /** Those that the query keys would name. */
  readonly labels: Map<string, KeyLabel & { accountId: string }>
  open(): Usage
}

/** Everything that counting needs but the query keys: real files, a real database, a clock that is moved by hand. */
export function usageUnderTest(
  database: Database,
  clock: ManualClock = manualClock(),
  folder: string = temporaryFolder(),
): UsageUnderTest {
  const labels = new Map<string, KeyLabel & { accountId: string }>()
  const keysOf = async (accountId: string): Promise<KeyLabel[]> =>
    [...labels.values()].filter((label) => label.accountId === accountId)
  const world = { keysOf, log: silentLog }
  return {
    folder,
    clock,
    labels,
    open: () => createUsage({ ...world, database, clock, folder, metrics: createMetrics() }),
  }
}

/** A key that the query keys know. */
export function addKey(
  { labels }: UsageUnderTest,
  id: string,
  accountId = 'acc_own',
  endpoint = 'testnet',
): MeteredKey {
  labels.set(id, { id, accountId, endpoint, name: `name of ${id}`, hint: `gqk_…${id.slice(-4)}` })
  return { id, accountId, endpoint }
}

export const everyStatistic = { granularity: 'total', limit: 1_000 } as const
export const noneBack = { bytesOut: 0, tookMs: 1, creditsBack: [] } as const
