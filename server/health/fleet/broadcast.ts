import type { HeldLease } from '../../platform/leases/lease-store.ts'
import type { Log } from '../../platform/log.ts'
import type { FleetLink } from './fleet-link.ts'
import { ownersText } from './messages.ts'

/** Sends the other processes what the owner does, in its order. */
export interface Broadcast {
  /** Adds a line for every other process, which is sent within 200 ms. Without others it is not even made. */
  add(makeLine: () => string): void
  /** Sends what waits as soon as the present work is done: a caller who is passed around should not be told two things for long. */
  hurry(): void
  start(): void
  stop(): void
}

interface BroadcastOptions {
  readonly link: Pick<FleetLink, 'others' | 'send'>
  /** This process, while it is the owner; null else. */
  readonly held: () => HeldLease | null
  /** Returns the lines with which a process begins that knows nothing yet. */
  readonly snapshot: () => Iterable<string>
  /** Another process answered that somebody else is the owner. */
  readonly overtaken: (by: HeldLease) => void
  readonly log: Log
}

export const ownersPath = '/health/owner'

const everyMs = 200
/** Every process hears of the owner after so many rounds, also when there is nothing to say; and again after a failure. */
const quietRounds = 5
const headMs = 2_000
/** A request ends with the line that reaches this length (characters): to read more at once would block the event loop. */
const requestLength = 1_000_000
/** Most characters that wait for one process, more than the decisions on 100,000 services: beyond that it begins again. */
const waitingLength = 64_000_000

interface Peer {
  lines: string[]
  /** Characters in `lines`. */
  length: number
  /** Whether the process must begin with everything. */
  isNew: boolean
  isSending: boolean
  /** The round of the last request. */
  sentIn: number
  /** Nothing is sent before this round. */
  waitsUntil: number
}

const newPeer = (): Peer => ({
  lines: [],
  length: 0,
  isNew: true,
  isSending: false,
  sentIn: 0,
  waitsUntil: 0,
})

function restart(peer: Peer): void {
  peer.lines = []
  peer.length = 0
  peer.isNew = true
}

function push(peer: Peer, line: string): void {
  if (peer.isNew) return // the snapshot will have it
  peer.lines.push(line)
  peer.length += line.length
  if (peer.length > waitingLength) restart(peer)
}

/** Removes and returns the lines of the next request. */
function take(peer: Peer, snapshot: () => Iterable<string>): string[] {
  if (peer.isNew) {
    restart(peer)
    peer.isNew = false
    for (const line of snapshot()) push(peer, line)
  }
  let count = 0
  let length = 0
  while (count < peer.lines.length && length < requestLength) length += peer.lines[count++]?.length ?? 0
  peer.length -= length
  return peer.lines.splice(0, count)
}

export function createBroadcast({ link, held, snapshot, overtaken, log }: BroadcastOptions): Broadcast {
  const peers = new Map<string, Peer>()
  let round = 0
  let timer: Timer | undefined
  let hurrying: NodeJS.Immediate | null = null

  function followOthers(): void {
    const living = new Set(link.others().map(({ id }) => id))
    for (const id of peers.keys()) if (!living.has(id)) peers.delete(id)
    for (const id of living) if (!peers.has(id)) peers.set(id, newPeer())
  }

  /** Resolves to whether the process has received the lines. */
  async function post(id: string, owner: HeldLease, lines: readonly string[]): Promise<boolean> {
    const response = await link.send(id, { path: ownersPath, body: ownersText(owner, lines), headMs })
    if (response.status === 409) overtaken((await response.json()) as HeldLease)
    else await response.body?.cancel()
    return response.ok
  }

  async function send(id: string, peer: Peer): Promise<void> {
    peer.isSending = true
    try {
      let isReceived = true
      do {
        const owner = held()
        if (owner === null) return
        peer.sentIn = round
        isReceived = await post(id, owner, take(peer, snapshot))
      } while (isReceived && peer.lines.length > 0)
      if (!isReceived) postpone(peer)
    } catch (error) {
      log.debug('another process did not receive decisions; it is sent all of them again', {
        node: id,
        error,
      })
      postpone(peer)
    } finally {
      peer.isSending = false
    }
  }

  function postpone(peer: Peer): void {
    restart(peer)
    peer.waitsUntil = round + quietRounds
  }

  function tick(): void {
    round += 1
    if (held() === null) return peers.clear()
    followOthers()
    sendDue()
  }

  function sendDue(): void {
    hurrying = null
    for (const [id, peer] of peers) {
      if (peer.isSending || round < peer.waitsUntil) continue
      if (peer.isNew || peer.lines.length > 0 || round - peer.sentIn >= quietRounds) void send(id, peer)
    }
  }

  return {
    add(makeLine) {
      if (peers.size === 0) return
      const line = makeLine()
      for (const peer of peers.values()) push(peer, line)
    },
    hurry: () => void (hurrying ??= setImmediate(sendDue)),
    start() {
      timer = setInterval(tick, everyMs)
    },
    stop: () => clearInterval(timer),
  }
}
