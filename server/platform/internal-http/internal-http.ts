/**
 * Plain HTTP between the processes (nodes) of one installation: sessions of the gateway go to the process that has them,
 * and reports of verifiers to the one that decides. It needs the database alone; Redis has no part in it.
 *
 * A request takes these steps:
 * 1. `node-registry.ts` announces the address of each process in its row of the table `nodes` with a heartbeat twice a
 *    second, by the clock of the database, and reads the others in the same statement. A row that is older than 3 s, or
 *    has no address, is that of a process that is gone. One that leaves says so to each of them, and listens meanwhile:
 *    when it stops, nothing is on its way to it.
 * 2. `node-client.ts` dials the address that a living row announces, and no other (it looks again for a node that it does
 *    not know): the guard of `egress.ts` is for addresses that somebody else chose, and internal ones are private by nature.
 * 3. `sealed-request.ts` seals the body with AES-256-GCM under keys that follow from the master key and are bound to method,
 *    path, both nodes, time, number and a random salt. The time is that of the database, so that a node whose clock is
 *    wrong is understood all the same.
 * 4. `node-listener.ts` refuses what is not sealed, changed, more than 30 s off, meant for another node or, by
 *    `replay-windows.ts`, received before: always by the same empty 404, and before it reads the body. Then the handler
 *    of the path answers.
 * 5. `sealed-response.ts` seals the response, status and headers included, frame by frame under a key of that request alone:
 *    what is changed, swapped, cut or taken from another response fails, and whatever opens was made by that node.
 * Requests are bodies of up to 32 MiB, which are sealed whole. Responses stream: back-pressure is TCP's, and whoever leaves
 * aborts the signal of the handler. What passes in the clear are the addresses, the paths, the lengths and the times.
 *
 * Failure: a `NodeError` says whether the node can have received the request; nothing is sent a second time. An address
 * that cannot be reached, that another process answers at, or that two processes announce is logged once, and counted by
 * `internal_nodes_unreachable`; what needs that node is unavailable then, and all else goes on. While the database is away
 * the nodes that were known last are asked.
 *
 * `GATEHOUSE_INTERNAL_URL` is the address that others reach this process at; its port is listened on. By default it is a
 * free port of 127.0.0.1, which does for processes of one machine. Without `DATABASE_URL` there can be no other process,
 * and nothing is listened on.
 *
 * Known limitation: whoever learns the master key can open what was recorded before.
 */
import type { Clock } from '../clock.ts'
import type { Database } from '../database.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { askOthers } from './ask-others.ts'
import { type NodeClient, createNodeClient } from './node-client.ts'
import { NodeError } from './node-error.ts'
import {
  type AnswerNode,
  type InternalListener,
  listenForNodes,
  listeningAddressOf,
} from './node-listener.ts'
import { type NodeRegistry, createNodeRegistry } from './node-registry.ts'
import { createReachability } from './reachability.ts'
import { createReplayWindows } from './replay-windows.ts'
import { createRequestSeal } from './sealed-request.ts'

/** The other processes of this installation, as domains see them. */
export interface InternalHttp {
  /** The id of this process: lowercase hex. */
  readonly nodeId: string
  readonly registry: Pick<
    NodeRegistry,
    'others' | 'refresh' | 'databaseTime' | 'isConnected' | 'isSettled' | 'isPresent' | 'onReturn' | 'onBeat'
  >
  /** Asks another process. See `NodeClient.send`. */
  readonly send: NodeClient['send']
  /** Answers requests of other processes for a path. Before `start`. */
  handle(path: string, handler: AnswerNode): void
  /** Announces this process to the others, once all paths are handled. */
  start(): Promise<void>
  /**
   * Tells the others that this process is gone, and resolves when they know or do not answer. What is under way goes on,
   * and this process can still ask.
   */
  leave(): Promise<void>
  /** Ends what is under way. */
  stop(): Promise<void>
}

export interface InternalHttpOptions {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly nodeId: string
  readonly version: string
  readonly masterKeys: readonly [Buffer, ...Buffer[]]
  /** Ids of the master keys, for the others to know. */
  readonly keyIds: readonly string[]
  /** Where others reach this process; null for a free port of this machine. */
  readonly url: string | null
  /** False when there can be no other process. */
  readonly hasOthers: boolean
}

const ownMachine = { host: '127.0.0.1', port: 0 }
const finishMs = 2_000
const leftPath = '/left'
/** Others that take longer learn it by their next heartbeat. */
const toldWithinMs = 500

/** Listens at once, so that the address is known. Throws an Error with one sentence for the operator. */
export function createInternalHttp(options: InternalHttpOptions): InternalHttp {
  const { database, clock, log, metrics, nodeId, version, keyIds } = options
  const handlers = new Map<string, AnswerNode>()
  const seal = createRequestSeal(options.masterKeys)
  const replays = createReplayWindows()
  // The listener asks for the time only after this process was announced.
  const databaseTime = (): number | null => registry.databaseTime()
  const handlerOf = (path: string): AnswerNode | undefined => handlers.get(path)

  function listen(): InternalListener {
    const address = options.url === null ? ownMachine : listeningAddressOf(options.url)
    return listenForNodes({
      ...address,
      nodeId,
      seal,
      replays,
      registry: { databaseTime },
      handlerOf,
      onFailed: (error) => log.warn('a request of another process failed', { error }),
    })
  }

  const listener = options.hasOthers ? listen() : null
  const url = listener === null ? null : (options.url ?? `http://127.0.0.1:${listener.port}`)
  const registry = createNodeRegistry({ database, clock, log, nodeId, url, version, keyIds })
  const client = createNodeClient({ nodeId, clock, seal, registry })
  const reachability = createReachability({
    clock,
    log,
    ownUrl: url,
    others: registry.others,
    send: client.send,
  })
  handlers.set(reachability.path, () => new Response(null, { status: 204 }))
  handlers.set(leftPath, ({ from }) => {
    registry.forget(from)
    return Response.json(true)
  })
  registry.onBeat(reachability.check)
  metrics.observedGauge(
    'internal_nodes_unreachable',
    'Other processes of this installation whose announced address did not answer',
    reachability.unreachableCount,
  )

  let leaving: Promise<void> | undefined

  async function tellOthers(): Promise<void> {
    await registry.stop()
    const question = { path: leftPath, body: '', answerWithinMs: toldWithinMs, read: () => true }
    await askOthers({ send: client.send, registry }, question)
  }

  const leave = (): Promise<void> => (leaving ??= tellOthers())

  return {
    nodeId,
    registry,
    send: client.send,
    handle: (path, handler) => void handlers.set(path, handler),
    start: registry.start,
    leave,
    async stop() {
      await leave()
      client.close()
      await listener?.stop(finishMs)
    },
  }
}

export { NodeError }
export type { AnswerNode, InternalRequest } from './node-listener.ts'
