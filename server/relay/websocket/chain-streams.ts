import { usualStream } from '../methods/stream-role.ts'
import type { OpensStream } from '../methods/stream-role.ts'
import { type AskNode, findMissedBlocks, logsOf, type MissedBlocks, valueOf } from './missed-blocks.ts'
import type { NodeSocket } from './node-socket.ts'
import { NodeStreams } from './node-streams.ts'
import {
  mostRefusals,
  type NodeStreamsServices,
  type OpenedStream,
  type Stream,
  type StreamListener,
} from './stream.ts'
import { type Notification, notificationOf, paramsOf } from './read-message.ts'
import { blockLinkOf, SentBlocks } from './sent-blocks.ts'
import { SentLogs } from './sent-logs.ts'

/** What a caller may share with others: new blocks (null), or the logs that fit a filter. */
export type SharedFilter = Readonly<Record<string, unknown>> | null

/** A caller's place among those who share a stream. */
export type JoinedStream =
  | { readonly kind: 'joined'; readonly leave: () => void }
  | Exclude<OpenedStream, { readonly kind: 'opened' }>

const method = 'eth_subscribe'
const notificationMethod = 'eth_subscription'

const role: OpensStream = {
  ...usualStream,
  kind: 'opens',
  names: 'hex',
  tells: notificationMethod,
  closedBy: 'eth_unsubscribe',
}
const headsRole: OpensStream = { ...role, isEveryBlock: true }

/** One stream of a node, and everybody who listens to it. */
class SharedStream implements StreamListener {
  readonly listeners = new Set<StreamListener>()
  stream: Stream | null = null
  opening: Promise<OpenedStream> | null = null
  /** How many callers have it or are about to. */
  users = 0
  readonly #isNew: (result: unknown) => boolean
  readonly #onLost: () => void

  constructor(isNew: (result: unknown) => boolean, onLost: () => void) {
    this.#isNew = isNew
    this.#onLost = onLost
  }

  told(notification: Notification): void {
    if (!this.#isNew(paramsOf(notification)?.result)) return
    for (const listener of this.listeners) listener.told(notification)
  }

  /** Tells something that the node itself did not tell. */
  tell(result: unknown): void {
    const before = `{"jsonrpc":"2.0","method":"${notificationMethod}","params":{"subscription":`
    this.told(notificationOf(notificationMethod, before, `,"result":${JSON.stringify(result)}}}`))
  }

  ended(): void {
    this.lost()
  }

  lost(): void {
    this.stream = null
    this.opening = null
    this.#onLost()
    const all = [...this.listeners]
    this.listeners.clear()
    for (const listener of all) listener.lost()
  }
}

interface SharedLogs {
  readonly shared: SharedStream
  readonly filter: NonNullable<SharedFilter>
  readonly told: SentLogs
  /** The first block whose logs are told. */
  from: number
  /** How many nodes, one after the other, have not told what one before them had not told. */
  refusals: number
}

/**
 * The new blocks and logs of an endpoint: one stream of a node serves all callers who want the same. What one node did not
 * tell before it went is asked for at the next.
 */
export class ChainStreams {
  readonly #endpoint: string
  readonly #services: NodeStreamsServices
  readonly #node: NodeStreams
  readonly #blocks = new SentBlocks()
  readonly #heads: SharedStream
  readonly #logs = new Map<string, SharedLogs>()

  constructor(endpoint: string, services: NodeStreamsServices) {
    this.#endpoint = endpoint
    this.#services = services
    this.#node = new NodeStreams(endpoint, services, (node) => this.#recover(node))
    this.#heads = new SharedStream(
      (result) => this.#isNewBlock(result),
      () => this.#blocks.clear(),
    )
  }

  get isUnused(): boolean {
    return this.#heads.users === 0
  }

  recheck(): void {
    this.#node.recheck()
  }

  /** Lets a caller share a stream. It may be told something before the promise resolves. */
  async join(filter: SharedFilter, listener: StreamListener, deadlineAt: number): Promise<JoinedStream> {
    // Who wants logs needs the blocks as well: without them nobody knows how far the logs were told.
    const opened = await this.#use(this.#heads, { filter: null, deadlineAt })
    if (opened.kind !== 'opened') return opened
    if (filter === null) return this.#joined([this.#heads], this.#heads, listener)
    const key = JSON.stringify(filter)
    const logs = this.#logs.get(key) ?? this.#addLogs(key, filter)
    const openedLogs = await this.#use(logs.shared, { filter, deadlineAt })
    if (openedLogs.kind === 'opened') return this.#joined([logs.shared, this.#heads], logs.shared, listener)
    this.#release(this.#heads)
    return openedLogs
  }

  #joined(used: readonly SharedStream[], shared: SharedStream, listener: StreamListener): JoinedStream {
    // The node may be gone since the answer came.
    if (used.some(({ stream }) => stream === null)) {
      for (const each of used) this.#release(each)
      return { kind: 'unanswered', failure: 'closed' }
    }
    shared.listeners.add(listener)
    let isIn = true
    const leave = (): void => {
      if (!isIn) return
      isIn = false
      shared.listeners.delete(listener)
      for (const each of used) this.#release(each)
    }
    return { kind: 'joined', leave }
  }

  #addLogs(key: string, filter: NonNullable<SharedFilter>): SharedLogs {
    const told = new SentLogs()
    const shared = new SharedStream(
      (result) => told.take(result),
      () => this.#logs.delete(key),
    )
    const logs = { shared, filter, told, from: (this.#blocks.last ?? -1) + 1, refusals: 0 }
    this.#logs.set(key, logs)
    return logs
  }

  async #use(
    shared: SharedStream,
    { filter, deadlineAt }: { readonly filter: SharedFilter; readonly deadlineAt: number },
  ): Promise<OpenedStream> {
    shared.users++
    shared.opening ??= this.#open(shared, filter, deadlineAt).finally(() => {
      if (shared.stream === null) shared.opening = null
    })
    const opened = await shared.opening
    if (opened.kind !== 'opened') this.#release(shared)
    return opened
  }

  async #open(shared: SharedStream, filter: SharedFilter, deadlineAt: number): Promise<OpenedStream> {
    const params = JSON.stringify(filter === null ? ['newHeads'] : ['logs', filter])
    const request = { method, params, role: filter === null ? headsRole : role }
    const opened = await this.#node.open(request, shared, deadlineAt)
    if (opened.kind === 'opened') shared.stream = opened.stream
    if (filter === null && opened.kind === 'opened') await this.#learnNewest(deadlineAt)
    return opened
  }

  /** The newest block counts as told: what follows is made up for when the node goes. */
  async #learnNewest(deadlineAt: number): Promise<void> {
    const params = '["latest",false]'
    const soon = Math.min(deadlineAt, this.#services.now() + newestMs)
    const newest = blockLinkOf(valueOf(await this.#node.call('eth_getBlockByNumber', () => params, soon)))
    if (newest !== null && this.#blocks.last === null) this.#blocks.take(newest)
  }

  #release(shared: SharedStream): void {
    if (--shared.users > 0) return
    const { stream } = shared
    shared.stream = null
    shared.opening = null
    if (shared === this.#heads) this.#blocks.clear()
    for (const [key, logs] of this.#logs) if (logs.shared === shared) this.#logs.delete(key)
    if (stream !== null) this.#node.close(stream)
  }

  #isNewBlock(result: unknown): boolean {
    const block = blockLinkOf(result)
    return block === null || this.#blocks.take(block)
  }

  async #recover(node: NodeSocket): Promise<boolean> {
    const { firstByteMs } = this.#services.settings
    const ask: AskNode = async (asked, params) =>
      valueOf(await node.call(asked, JSON.stringify(params), firstByteMs))
    const missed = await findMissedBlocks(this.#blocks, ask)
    if (missed === null) return false
    for (const { shared, refusals } of this.#logs.values())
      if (refusals >= mostRefusals) this.#leaveBehind(shared)
    const logs = [...this.#logs.values()]
    const found = await Promise.all(logs.map((each) => missedLogs(each, missed, ask)))
    for (const [place, each] of logs.entries()) each.refusals = found[place] === null ? each.refusals + 1 : 0
    if (found.includes(null)) return false
    for (const { shared, told } of logs) {
      if (missed.isReorganised) for (const log of told.removeBeyond(missed.common)) shared.tell(log)
    }
    const { tip } = this.#services.routeOf(this.#endpoint) ?? { tip: null }
    tip?.reported('latest', node.index, missed.latest)
    for (const { header } of missed.headers) this.#heads.tell(header)
    for (const [place, { shared }] of logs.entries()) {
      for (const log of found[place] ?? []) shared.tell(log)
    }
    return true
  }

  #leaveBehind(shared: SharedStream): void {
    if (shared.stream !== null) this.#node.close(shared.stream)
    shared.lost()
  }
}

/** How long the first callers wait at most until the newest block is known. */
const newestMs = 1_000

/** The logs of the last block that was told need not have been told with it. */
const missedLogs = ({ filter, from }: SharedLogs, { common, latest }: MissedBlocks, ask: AskNode) =>
  logsOf(filter, Math.min(latest, Math.max(from, common - 1)), latest, ask)

/** The streams that callers share, by endpoint. */
export class SharedStreams {
  readonly #services: NodeStreamsServices
  readonly #byEndpoint = new Map<string, ChainStreams>()

  constructor(services: NodeStreamsServices) {
    this.#services = services
  }

  of(endpoint: string): ChainStreams {
    const known = this.#byEndpoint.get(endpoint)
    if (known !== undefined) return known
    const streams = new ChainStreams(endpoint, this.#services)
    this.#byEndpoint.set(endpoint, streams)
    return streams
  }

  recheck(): void {
    for (const [endpoint, streams] of this.#byEndpoint) {
      streams.recheck()
      if (streams.isUnused) this.#byEndpoint.delete(endpoint)
    }
  }
}
