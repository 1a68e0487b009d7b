import type { Log } from '../../platform/log.ts'
import type { StoreConnection } from '../../platform/shared-store/store-connection.ts'
import { StoreLost } from '../../platform/shared-store/store-link.ts'
import { joinScript, postedScript } from './scripts.ts'
import { epochKey, nodesKey, postedKey } from './store-keys.ts'

/** Whether this node may ask the store, and how many nodes share it. */
export interface Membership {
  /** Id of the epoch in which this node may ask; null: the store is lost, or our grants are not posted yet. */
  epoch(): string | null
  /** Nodes that lived when the store last said so, this one included; null: it never did. */
  nodes(): number | null
  /** After the connection was made. */
  connected(runId: string): void
  /** After the connection was lost. */
  lost(reason: string): void
  /** The store says that it is in another epoch. */
  rejoin(): void
  stop(): void
}

interface MembershipOptions {
  readonly connection: StoreConnection
  readonly nodeId: string
  readonly log: Log
  /** Makes the store count again what it has forgotten of this node's grants. */
  postAll(epoch: string): Promise<void>
}

const beatEveryMs = 500
/** A node that was not heard of for so long no longer counts. */
const aliveMicros = 3_000_000

export function createMembership({ connection, nodeId, log, postAll }: MembershipOptions): Membership {
  let runId: string | null = null
  let epoch: string | null = null
  /** The last epoch in which this node may have been granted something. */
  let known: string | null = null
  let nodes: number | null = null
  let joining: Promise<void> | null = null
  const beat = setInterval(() => void join(), beatEveryMs)
  beat.unref()

  function join(): Promise<void> {
    joining ??= joinOnce().finally(() => {
      joining = null
    })
    return joining
  }

  async function joinOnce(): Promise<void> {
    if (runId === null) return
    try {
      const keys = [epochKey, nodesKey, postedKey]
      const answer = await connection.run(joinScript, keys, [
        runId,
        nodeId,
        nodes ?? 0,
        aliveMicros,
        known ?? '',
      ])
      const joined = readJoined(answer)
      if (joined.epoch !== known) await adopt(joined.epoch)
      nodes = joined.nodes
      epoch = joined.epoch
    } catch (error) {
      if (!(error instanceof StoreLost)) throw error
      lose(error.message)
    }
  }

  /** A node that was in no epoch before has nothing to post, and nobody waits for it. */
  async function adopt(next: string): Promise<void> {
    epoch = null
    if (known !== null) {
      log.warn('the shared store may have lost its counts: this node posts its own again')
      await postAll(next)
      await connection.run(postedScript, [epochKey, postedKey], [next, nodeId])
    }
    known = next
  }

  function lose(reason: string): void {
    if (epoch !== null) log.warn('the shared store of the limits is lost', { reason })
    epoch = null
  }

  return {
    epoch: () => epoch,
    nodes: () => nodes,
    connected(id) {
      runId = id
      void join()
    },
    lost(reason) {
      runId = null
      lose(reason)
    },
    rejoin() {
      epoch = null
      void join()
    },
    stop: () => clearInterval(beat),
  }
}

function readJoined(answer: unknown): { epoch: string; nodes: number } {
  const [epoch, nodes] = Array.isArray(answer) ? (answer as unknown[]) : []
  if (typeof epoch !== 'string' || typeof nodes !== 'number') throw new StoreLost('an unexpected answer')
  return { epoch, nodes: Math.max(1, nodes) }
}
