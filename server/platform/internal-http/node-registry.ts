import type { Clock } from '../clock.ts'
import type { Database } from '../database.ts'
import type { Log } from '../log.ts'
import { createPeriodicJob } from '../periodic-job.ts'

/** A living process of this installation, as it announced itself. */
export interface AnnouncedNode {
  readonly id: string
  /** The address of its internal listener. */
  readonly url: string
  readonly version: string
  /** Epoch ms, by the clock of the database. */
  readonly startedAt: number
}

/** The living processes of this installation, from rows of the table `nodes`. */
export interface NodeRegistry {
  /** The living ones but this, as of the last heartbeat. While the database is away they stay as they were. */
  others(): readonly AnnouncedNode[]
  /** Brings `others` up to date, for a node that may have been announced since. Never rejects. */
  refresh(): Promise<void>
  /** Epoch ms by the clock of the database; null before the first heartbeat. */
  databaseTime(): number | null
  /** Returns true while heartbeats come through: `others` is up to date. */
  isConnected(): boolean
  /** Returns true once heartbeats have come through for so long that a node without a living row is certainly gone. */
  isSettled(): boolean
  /**
   * Returns false when this process may have been considered gone, because it stood still or its heartbeats were late,
   * until it has caught up with what others did meanwhile.
   */
  isPresent(): boolean
  /**
   * Called after a heartbeat before which others may have considered this process gone, and at its start; called again
   * until it resolves.
   */
  onReturn(callback: () => Promise<void>): void
  /** Called after each heartbeat. */
  onBeat(callback: () => void): void
  /** Takes a node that has left out of `others` at once; its id is never announced again. */
  forget(id: string): void
  /** Announces this node, and keeps it announced. Never rejects. */
  start(): Promise<void>
  /** Takes the address back: the others notice by their next heartbeat. */
  stop(): Promise<void>
}

interface NodeRegistryOptions {
  readonly database: Database
  readonly clock: Pick<Clock, 'monotonic'>
  readonly log: Log
  readonly nodeId: string
  /** Null: this node is not announced, and knows no others. */
  readonly url: string | null
  readonly version: string
  /** Ids of its master keys, the one that it seals under first. */
  readonly keyIds: readonly string[]
}

/** A node whose last heartbeat is older is gone. */
export const presenceMs = 3_000
const beatEveryMs = 500
const deadlineMs = 1_500
/** Rows that nobody needs any more: of nodes that were killed long ago. */
const forgottenSec = 3_600

export function createNodeRegistry(options: NodeRegistryOptions): NodeRegistry {
  const { database, clock, log, nodeId, url, version, keyIds } = options
  const returns: (() => Promise<void>)[] = []
  const beats: (() => void)[] = []
  /** Nodes that have left since this one last read them: a heartbeat that is under way may still return them. */
  const departed = new Set<string>()
  let others: readonly AnnouncedNode[] = []
  let offsetMs: number | null = null
  /** Monotonic ms since which heartbeats have come through without a gap. */
  let steadySince: number | null = null
  let beatAt = Number.NEGATIVE_INFINITY
  let tickedAt = Number.NEGATIVE_INFINITY
  let mustCatchUp = true
  let isStopped = false

  async function beat(): Promise<void> {
    const sentAt = clock.monotonic()
    if (sentAt - tickedAt > presenceMs) mustCatchUp = true
    tickedAt = sentAt
    const { nodes, now } = await announce(database, { nodeId, url: url ?? '', version, keyIds })
    const receivedAt = clock.monotonic()
    if (receivedAt - beatAt > presenceMs) {
      steadySince = sentAt
      mustCatchUp = true
    }
    beatAt = sentAt
    offsetMs = now - (sentAt + receivedAt) / 2
    for (const id of departed) if (!nodes.some((node) => node.id === id)) departed.delete(id)
    others = nodes.filter(({ id }) => !departed.has(id))
    if (mustCatchUp) for (const callback of returns) await callback()
    mustCatchUp = false
    for (const callback of beats) callback()
  }

  const isConnected = (): boolean => clock.monotonic() - beatAt <= presenceMs

  const onFailed = (error: unknown): void =>
    log.debug('the heartbeat of this process did not reach the database', { error })
  const job = createPeriodicJob(beatEveryMs, beat, onFailed)

  async function beginAnnounced(): Promise<void> {
    await database.run(
      (sql) => sql`DELETE FROM nodes WHERE seen_at < now() - make_interval(secs => ${forgottenSec})`,
    )
    await job.run()
  }

  return {
    others: () => others,
    refresh: () => (url === null ? Promise.resolve() : job.run().catch(onFailed)),
    databaseTime: () => (offsetMs === null ? null : Math.round(clock.monotonic() + offsetMs)),
    isConnected,
    isSettled: () => isConnected() && clock.monotonic() - (steadySince ?? Infinity) >= presenceMs,
    isPresent: () => url === null || (!mustCatchUp && clock.monotonic() - tickedAt <= presenceMs),
    onReturn: (callback) => void returns.push(callback),
    onBeat: (callback) => void beats.push(callback),
    forget(id) {
      departed.add(id)
      others = others.filter((node) => node.id !== id)
    },
    async start() {
      if (url === null) return
      // A database that is away for a moment must not end a process that could serve: the next heartbeat announces it.
      await beginAnnounced().catch(onFailed)
      job.start()
    },
    async stop() {
      if (url === null || isStopped) return
      isStopped = true
      await job.stop()
      try {
        await database.run((sql) => sql`UPDATE nodes SET url = NULL WHERE id = ${nodeId}`, deadlineMs)
      } catch (error) {
        log.debug('the others will notice by themselves that this process is gone', { error })
      }
    },
  }
}

/** Writes the heartbeat, and returns the other living nodes with the time: in one statement, which has one instant. */
async function announce(
  database: Database,
  {
    nodeId,
    url,
    version,
    keyIds,
  }: Pick<NodeRegistryOptions, 'nodeId' | 'version' | 'keyIds'> & { url: string },
): Promise<{ nodes: AnnouncedNode[]; now: number }> {
  const rows = await database.run(
    (sql) => sql<(AnnouncedNode & { now: number })[]>`
      WITH own AS (
        INSERT INTO nodes (id, seen_at, url, version, started_at, master_keys)
        VALUES (${nodeId}, now(), ${url}, ${version}, now(), ${[...keyIds]}::text[])
        ON CONFLICT (id) DO UPDATE SET seen_at = now(), url = excluded.url, version = excluded.version,
          started_at = coalesce(nodes.started_at, now()), master_keys = excluded.master_keys)
      SELECT id, url, version, (extract(epoch FROM started_at) * 1000)::float8 AS "startedAt", instant.now
      FROM (SELECT (extract(epoch FROM now()) * 1000)::float8 AS now) AS instant
      LEFT JOIN nodes ON id <> ${nodeId} AND url IS NOT NULL
        AND seen_at > now() - make_interval(secs => ${presenceMs / 1000})`,
    deadlineMs,
  )
  const [first] = rows
  if (first === undefined) throw new Error('a heartbeat without an answer')
  const known = rows.filter(({ id }) => id !== null)
  const nodes = known.map(({ id, url: address, version: running, startedAt }) => ({
    id,
    url: address,
    version: running,
    startedAt,
  }))
  return { nodes, now: first.now }
}
