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
  /** Epoch ms by the clock of the database; null before the first heartbeat. */
  databaseTime(): number | null
  /** Returns true once heartbeats have come through for so long that a node without a living row is certainly gone. */
  isSettled(): boolean
  /**
   * Returns false when this process may have been considered gone, because it stood still or its heartbeats were late,
   * until it has caught up with what others did meanwhile.
   */
  isPresent(): boolean
  /** Called after a heartbeat that found no living row of this node, and waited for; at its start too. */
  onReturn(callback: () => Promise<void>): void
  /** Called after each heartbeat. */
  onBeat(callback: () => void): void
  /** Announces this node, and keeps it announced. Never rejects. */
  start(): Promise<void>
  /** Takes the address back, so that the others notice at once. */
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
const presenceMs = 3_000
const beatEveryMs = 500
const deadlineMs = 1_500
/** Rows that nobody needs any more: of nodes that were killed long ago. */
const forgottenSec = 3_600

interface NodeRow {
  readonly id: string
  readonly url: string
  readonly version: string
  readonly startedAt: number
  readonly isLiving: boolean
}

export function createNodeRegistry(options: NodeRegistryOptions): NodeRegistry {
  const { database, clock, log, nodeId, url, version, keyIds } = options
  const returns: (() => Promise<void>)[] = []
  const beats: (() => void)[] = []
  let others: readonly AnnouncedNode[] = []
  let offsetMs: number | null = null
  /** Monotonic ms since which heartbeats have come through without a gap. */
  let steadySince: number | null = null
  let beatAt = Number.NEGATIVE_INFINITY
  let tickedAt = Number.NEGATIVE_INFINITY
  let isCatchingUp = true
  let isStopped = false

  async function beat(): Promise<void> {
    const sentAt = clock.monotonic()
    if (sentAt - tickedAt > presenceMs) isCatchingUp = true
    tickedAt = sentAt
    const rows = await announce(database, { nodeId, url: url ?? '', version, keyIds })
    const receivedAt = clock.monotonic()
    if (sentAt - beatAt > presenceMs || steadySince === null) steadySince = sentAt
    beatAt = sentAt
    offsetMs = rows.now - (sentAt + receivedAt) / 2
    others = rows.nodes
      .filter(({ id, isLiving }) => id !== nodeId && isLiving)
      .map(({ id, url: announcedUrl, version: itsVersion, startedAt }) => ({
        id,
        url: announcedUrl,
        version: itsVersion,
        startedAt,
      }))
    const wasLiving = rows.nodes.some(({ id, isLiving }) => id === nodeId && isLiving)
    if (!wasLiving) for (const callback of returns) await callback()
    isCatchingUp = false
    for (const callback of beats) callback()
  }

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
    databaseTime: () => (offsetMs === null ? null : Math.round(clock.monotonic() + offsetMs)),
    isSettled() {
      const now = clock.monotonic()
      return steadySince !== null && now - beatAt <= presenceMs && now - steadySince >= presenceMs
    },
    isPresent: () => url === null || (!isCatchingUp && clock.monotonic() - tickedAt <= presenceMs),
    onReturn: (callback) => void returns.push(callback),
    onBeat: (callback) => void beats.push(callback),
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

/** Writes the heartbeat, and returns what the table said before it: in one statement, so that both have one instant. */
async function announce(
  database: Database,
  {
    nodeId,
    url,
    version,
    keyIds,
  }: Pick<NodeRegistryOptions, 'nodeId' | 'version' | 'keyIds'> & { url: string },
): Promise<{ nodes: NodeRow[]; now: number }> {
  const rows = await database.run(
    (sql) => sql<(NodeRow & { now: number })[]>`
      WITH own AS (
        INSERT INTO nodes (id, seen_at, url, version, started_at, master_keys)
        VALUES (${nodeId}, now(), ${url}, ${version}, now(), ${[...keyIds]}::text[])
        ON CONFLICT (id) DO UPDATE SET seen_at = now(), url = excluded.url, version = excluded.version,
          started_at = coalesce(nodes.started_at, now()), master_keys = excluded.master_keys)
      SELECT nodes.id, url, version, (extract(epoch FROM started_at) * 1000)::float8 AS "startedAt",
        coalesce(seen_at > now() - make_interval(secs => ${presenceMs / 1000}), false) AS "isLiving",
        (extract(epoch FROM now()) * 1000)::float8 AS now
      FROM (SELECT 1) AS one LEFT JOIN nodes ON url IS NOT NULL`,
    deadlineMs,
  )
  const [first] = rows
  if (first === undefined) throw new Error('a heartbeat without an answer')
  return { nodes: rows.filter(({ id }) => id !== null), now: first.now }
}
