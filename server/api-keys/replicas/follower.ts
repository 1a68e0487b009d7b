import type { Database } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import type { ApiKey } from '../api-key.ts'
import type { KeyCache } from '../cache.ts'
import type { ApiKeyStore } from '../store.ts'
import { createSerialRuns } from './serial-runs.ts'
import { type ReplicaStore, changesChannel } from './store.ts'

/** Keeps this process's memory of the keys in step with the database. */
export interface Follower {
  /** Reads all keys. Throws when the database is away. */
  load(): Promise<void>
  /** Applies every change that was committed before the call. */
  sync(): Promise<void>
  /** Whether every change that is older than 2 s is known to be in memory: otherwise ask the database. */
  isFresh(): boolean
  /** After a change of which it is not known whether it was committed: not fresh until the next sync. */
  distrust(): void
  start(): void
  stop(): Promise<void>
}

export interface FollowerOptions {
  readonly database: Database
  readonly cache: KeyCache
  readonly keys: ApiKeyStore
  readonly replicas: ReplicaStore
  readonly clock: SteadyClock
  readonly log: Log
  readonly nodeId: string
}

const heartbeatMs = 500
const freshMs = 2_000
const pageSize = 2_000

/**
 * Freshness does not rest on notifications, which can be lost without a sign: they only make it fast. Each
 * heartbeat asks for the changes itself, so a memory that was in step at the beginning of a heartbeat less than 2 s
 * ago lacks no older change. The heartbeat is written before the question: whoever makes a change and does not see
 * this node alive has committed early enough for the question to find the change.
 */
export function createFollower(options: FollowerOptions): Follower {
  const { database, cache, keys, replicas, clock, log, nodeId } = options
  let applied: number | null = null
  let mustReload = true
  let isStopped = false
  let acknowledged: number | null = null
  let freshAt: number | null = null
  let doubts = 0
  let timer: Timer | undefined

  async function syncOnce(): Promise<void> {
    const startedAt = clock.now()
    const doubtsBefore = doubts
    await replicas.beat(nodeId)
    if (mustReload) applied = null
    mustReload = false
    applied = applied === null ? await reload() : await catchUp(applied)
    if (doubts === doubtsBefore) freshAt = startedAt
    if (applied === acknowledged) return
    await replicas.acknowledge(nodeId, applied)
    acknowledged = applied
  }

  /** The version is read first: what changes while the pages are read is caught up with afterwards. */
  async function reload(): Promise<number> {
    applied = null
    freshAt = null
    const version = await replicas.latestVersion()
    cache.clear()
    let page: ApiKey[] = []
    do {
      page = await keys.page(page.at(-1)?.id ?? '', pageSize)
      for (const key of page) cache.put(key)
    } while (page.length === pageSize)
    return await catchUp(version)
  }

  async function catchUp(version: number): Promise<number> {
    const changes = await replicas.changesSince(version)
    const [first] = changes
    // Changes in between were pruned while this node was away.
    if (first !== undefined && first.version !== version + 1) return await reload()
    for (const { id, key } of changes) {
      if (key === null) cache.remove(id)
      else cache.put(key)
    }
    return changes.at(-1)?.version ?? version
  }

  const { run: sync, runUnlessRunning: syncUnlessRunning, settled } = createSerialRuns(syncOnce)

  function distrust(): void {
    doubts += 1
    freshAt = null
  }

  async function inBackground(run: () => Promise<void>): Promise<void> {
    if (isStopped) return
    try {
      await run()
    } catch (error) {
      log.warn('the API keys could not be brought up to date', { error })
    }
  }

  function onNotification(version: number): void {
    if (applied === null || version > applied) void inBackground(sync)
  }

  function startOver(): void {
    mustReload = true
    distrust()
    void inBackground(sync)
  }

  return {
    async load() {
      await database.listen(changesChannel, (payload) => onNotification(Number(payload)))
      database.onResume(startOver)
      await sync()
    },
    sync,
    isFresh() {
      if (freshAt === null) return false
      const age = clock.now() - freshAt
      return age >= 0 && age <= freshMs
    },
    distrust,
    start() {
      timer = setInterval(() => void inBackground(syncUnlessRunning), heartbeatMs)
    },
    async stop() {
      isStopped = true
      clearInterval(timer)
      await settled()
      try {
        await replicas.leave(nodeId)
      } catch (error) {
        log.debug('the database will forget this node by itself', { error })
      }
    },
  }
}
