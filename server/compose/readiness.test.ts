import type { StoreFailure } from '../limits/shared-store/membership.ts'
import { afterAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'

import { temporaryDataDir } from '../../scripts/world/database.ts'
import type { Readiness } from '../http/probes.ts'
import { readinessOf } from './readiness.ts'

const dataDir = temporaryDataDir()
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

/** The states of a process whose parts are well, but for those of the test. */
async function statesOf(
  changed: {
    isReachable?: boolean
    notifications?: 'heard' | 'away' | 'none'
    databaseState?: 'answering' | 'away' | 'away_too_long'
    isStoreReady?: boolean
    storeFailure?: StoreFailure
    storeWarning?: string
    isWarmingUp?: boolean
    isClockWrong?: boolean
    dataDir?: string
  } = {},
) {
  const parts: Readiness = await readinessOf({
    database: {
      isReachable: () => Promise.resolve(changed.isReachable ?? true),
      notifications: () => changed.notifications ?? 'heard',
    },
    keys: { databaseState: () => changed.databaseState ?? 'answering' },
    limits: {
      isStoreReady: () => changed.isStoreReady ?? true,
      storeFailure: () => changed.storeFailure ?? null,
      storeWarning: () => changed.storeWarning ?? null,
    },
    isWarmingUp: () => changed.isWarmingUp ?? false,
    isClockWrong: () => changed.isClockWrong ?? false,
    dataDir: changed.dataDir ?? dataDir,
  })
  return Object.fromEntries(
    Object.entries(parts).flatMap(([name, check]) => (check === 'ok' ? [] : [[name, check.state]])),
  )
}

test('all is well', async () => expect(await statesOf()).toEqual({}))

test.each([
  [{ isReachable: false }, { database: 'degraded' }],
  [{ isReachable: false, databaseState: 'away' }, { database: 'degraded' }],
  [{ databaseState: 'away' }, { database: 'degraded' }], // it answers, but is full or can only be read
  [{ isReachable: false, databaseState: 'away_too_long' }, { database: 'failed' }],
  [{ notifications: 'away' }, { database: 'degraded' }],
  [{ notifications: 'none' }, {}],
  [{ isStoreReady: false }, { limits: 'degraded' }],
  [{ isStoreReady: false, storeFailure: { kind: 'unreached', reason: 'nobody' } }, { limits: 'failed' }],
  [{ isStoreReady: false, storeFailure: { kind: 'refusing', reason: 'full' } }, { limits: 'failed' }],
  [{ storeWarning: 'it evicts' }, { limits: 'degraded' }],
  [{ isWarmingUp: true }, { health: 'failed' }],
  [{ isClockWrong: true }, { health: 'degraded' }],
  [{ dataDir: join(dataDir, 'gone') }, { disk: 'failed' }],
] as const)('%p: %p', async (changed, states) => expect(await statesOf(changed)).toEqual(states))
