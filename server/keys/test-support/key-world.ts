import { fileURLToPath } from 'node:url'

import { silentLog } from '../../../scripts/world/database.ts'
import { type Database, openDatabase } from '../../platform/database.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import { createVault } from '../../platform/vault.ts'
import type { Author, KeyEvent } from '../changes.ts'
import type { KeyCap } from '../editing.ts'

const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url))

/** One more process's connections to a database. */
export const connectTo = (url: string): Promise<Database> =>
  openDatabase({ url, dataDir: '', log: silentLog, migrationsFolder })

/** A clock that stands still until it is moved. */
export interface HandClock extends SteadyClock {
  at: number
}

export function handClock(at = Date.UTC(2026, 0, 1)): HandClock {
  const clock = { at, now: () => clock.at, earliest: () => clock.at, latest: () => clock.at }
  return clock
}

/** Secrets of one installation: all its processes have the same. */
export const testVault = createVault([Buffer.alloc(32, 'vault')])
/** Under which the keys of these processes are hashed. */
export const hashKey = Buffer.alloc(32, 'hash')

export const author = (accountId: string): Author => ({
  accountId,
  actor: { id: accountId, label: `Owner of ${accountId}` },
  ip: '198.51.100.7',
  requestId: 'request-1',
})

/** Of accounts that have as many keys as memory can hold. */
export const noCap: KeyCap = () => Promise.resolve(Number.POSITIVE_INFINITY)

/** How one process of an installation is made for a test. */
export interface NodeOptions {
  readonly clock?: SteadyClock
  readonly canReveal?: boolean
  readonly keyCap?: KeyCap
  readonly mostInMemory?: number
  /** Asked before an event is noted; its failure is that of the change. */
  readonly record?: (event: KeyEvent) => Promise<void>
}

/** An audit log that keeps what it is told. */
export function keepEvents(record: NodeOptions['record']) {
  const events: KeyEvent[] = []
  return {
    events,
    async record(_sql: unknown, made: readonly KeyEvent[]): Promise<void> {
      for (const event of made) await record?.(event)
      events.push(...made)
    },
  }
}
