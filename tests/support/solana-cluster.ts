import { fromBytes } from 'ox/Base58'

import { repeat } from '../../scripts/world/repeating.ts'

/** Scripted nodes of one Solana cluster: what they answer and tell has the shape of Agave's documentation. */
export interface SolanaCluster {
  readonly urls: readonly string[]
  slot(): number
  /** Signatures in the order in which they came. */
  readonly sent: readonly string[]
  /** A node takes no connections and loses those that it has, or is back. */
  setAway(node: number, isAway: boolean): void
  /** A node gets no new slots, or has caught up; it answers all the while. */
  holdNode(node: number, isHeld: boolean): void
  /** Transactions that come wait for this, or get into a block at once. */
  holdTransactions(isHeld: boolean): void
  stop(): Promise<void>
}

type Commitment = 'processed' | 'confirmed' | 'finalized'
type Params = readonly [subject?: string, config?: { readonly commitment?: Commitment }]

/** So many slots later it is reached. */
const slotsUntil: Readonly<Record<Commitment, number>> = { processed: 0, confirmed: 2, finalized: 6 }
const slotMs = 40
/** Blocks that were skipped since the first slot. */
const skipped = 21_731_000
const slotsInEpoch = 432_000
const firstSlot = 348_123_456
const balance = 2_000_000_000
const blockhash = '8sGfR1pG1yWxSLwTgHm4bTdoTUpYp8a5YgwrmWZKBeYh'
/** A transaction to which a node says that its simulation fails: its memo begins so. */
const failingMemo = Buffer.from('fail')

class RpcFailure extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

interface Subscription {
  readonly id: number
  readonly kind: string
  readonly params: Params
}

type Socket = Bun.ServerWebSocket<Subscription[]>

class Ledger {
  readonly startedAt = Date.now()
  slot = firstSlot
  isHeld = false
  /** The slots of the transactions that are in a block, by signature. */
  readonly slots = new Map<string, number>()
  readonly sent: string[] = []

  send([encoded = '']: Params): string {
    const bytes = Buffer.from(encoded, 'base64')
    if (bytes.includes(failingMemo)) {
      const err = { InstructionError: [0, { Custom: 6_001 }] }
      throw new RpcFailure(
        -32_002,
        'Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1771',
        { accounts: null, err, logs: ['Program log: it fails'], unitsConsumed: 300, returnData: null },
      )
    }
    // One byte says how many signatures there are; the first is the name of the transaction.
    const signature = fromBytes(bytes.subarray(1, 65))
    this.sent.push(signature)
    return signature
  }

  advance(): void {
    this.slot++
    if (this.isHeld) return
    for (const signature of this.sent) if (!this.slots.has(signature)) this.slots.set(signature, this.slot)
  }

  reached(commitment: Commitment = 'finalized'): number {
    return this.slot - slotsUntil[commitment]
  }

  /** Returns the context and value of `getSignatureStatuses`. */
  statusOf(signature: string) {
    const slot = this.slots.get(signature)
    if (slot === undefined) return null
    const isFinal = this.reached() >= slot
    const isConfirmed = this.reached('confirmed') >= slot
    const confirmationStatus = isFinal ? 'finalized' : isConfirmed ? 'confirmed' : 'processed'
    const confirmations = isFinal ? null : this.slot - slot
    return { slot, confirmations, err: null, status: { Ok: null }, confirmationStatus }
  }

  answer(method: string, params: Params): unknown {
    const [subject, config] = params
    const commitment = (typeof subject === 'object' ? subject : config)?.commitment
    const inContext = (value: unknown) => ({ context: { apiVersion: '2.2.7', slot: this.slot }, value })
    switch (method) {
      case 'getSlot':
        return this.reached(commitment)
      case 'getBlockHeight':
        return this.reached(commitment) - skipped
      case 'getEpochInfo':
        return {
          absoluteSlot: this.reached(commitment),
          blockHeight: this.reached(commitment) - skipped,
          epoch: Math.floor(this.slot / slotsInEpoch),
          slotIndex: this.slot % slotsInEpoch,
          slotsInEpoch,
          transactionCount: this.sent.length,
        }
      case 'getBlockTime':
        return Math.floor((this.startedAt + (Number(subject) - firstSlot) * slotMs) / 1_000)
      case 'getLatestBlockhash':
        return inContext({ blockhash, lastValidBlockHeight: this.slot - skipped + 150 })
      case 'getBalance':
        return inContext(balance)
      case 'getAccountInfo':
        return inContext(null)
      case 'getSignatureStatuses':
        return inContext((subject as unknown as string[]).map((signature) => this.statusOf(signature)))
      case 'sendTransaction':
        return this.send(params)
      default:
        throw new RpcFailure(-32_601, 'Method not found')
    }
  }
}

export function startSolanaCluster(size = 2): SolanaCluster {
  const ledger = new Ledger()
  const nodes = Array.from({ length: size }, () => openNode(ledger))
  const advancing = repeat(async () => {
    ledger.advance()
    for (const node of nodes) node.tell()
  }, slotMs)
  return {
    urls: nodes.map(({ url }) => url),
    slot: () => ledger.slot,
    sent: ledger.sent,
    setAway: (index, isAway) => nodes[index]?.setAway(isAway),
    holdNode: (index, isHeld) => nodes[index]?.hold(isHeld),
    holdTransactions(isHeld) {
      ledger.isHeld = isHeld
    },
    async stop() {
      await advancing.stop()
      for (const node of nodes) node.setAway(true)
    },
  }
}

function openNode(cluster: Ledger) {
  const sockets = new Set<Socket>()
  let ledger = cluster
  let server: ReturnType<typeof listen> | null = null

  function listen(port: number) {
    return Bun.serve({
      hostname: '127.0.0.1',
      port,
      async fetch(request, bun) {
        if (bun.upgrade(request, { data: [] })) return
        return Response.json(answerTo(ledger, (await request.json()) as Call))
      },
      websocket: {
        open: (socket: Socket) => void sockets.add(socket),
        close: (socket) => void sockets.delete(socket),
        message(socket: Socket, text) {
          const call = JSON.parse(String(text)) as Call
          socket.send(JSON.stringify(isStreamCall(call) ? subscribe(socket, call) : answerTo(ledger, call)))
        },
      },
    })
  }
  server = listen(0)
  const port = server.port ?? 0
  return {
    url: `http://127.0.0.1:${port}`,
    tell() {
      if (ledger === cluster) for (const socket of sockets) tellAll(socket, ledger)
    },
    hold(isHeld: boolean) {
      ledger = isHeld ? Object.create(cluster, { slot: { value: cluster.slot } }) : cluster
    },
    setAway(isAway: boolean) {
      if (isAway) {
        void server?.stop(true)
        server = null
      } else server ??= listen(port)
    },
  }
}

interface Call {
  readonly id: unknown
  readonly method: string
  readonly params?: Params
}

function answerTo(ledger: Ledger, { id, method, params = [] }: Call): object {
  try {
    return { jsonrpc: '2.0', result: ledger.answer(method, params), id }
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error
    const { code, message, data } = error
    return { jsonrpc: '2.0', error: { code, message, ...(data !== undefined && { data }) }, id }
  }
}

const isStreamCall = ({ method }: Call): boolean => /(?:S|Uns)ubscribe$/.test(method)
let opened = 0

function subscribe({ data: subscriptions }: Socket, { id, method, params = [] }: Call): object {
  if (method.endsWith('Unsubscribe')) {
    const at = subscriptions.findIndex((each) => each.id === Number(params[0]))
    if (at < 0) return { jsonrpc: '2.0', error: { code: -32_602, message: 'Invalid subscription id.' }, id }
    subscriptions.splice(at, 1)
    return { jsonrpc: '2.0', result: true, id }
  }
  const subscription = { id: ++opened, kind: method.slice(0, -'Subscribe'.length), params }
  subscriptions.push(subscription)
  return { jsonrpc: '2.0', result: subscription.id, id }
}

/** Tells what the new slot has for each subscription. That of a signature ends with what it tells. */
function tellAll(socket: Socket, ledger: Ledger): void {
  socket.data = socket.data.filter(({ id, kind, params }) => {
    const result = newsOf(kind, params, ledger)
    if (result === null) return true
    const notification = {
      jsonrpc: '2.0',
      method: `${kind}Notification`,
      params: { result, subscription: id },
    }
    socket.send(JSON.stringify(notification))
    return kind !== 'signature'
  })
}

function newsOf(kind: string, [subject = '', config]: Params, ledger: Ledger): unknown {
  const { slot } = ledger
  if (kind === 'slot') return { parent: slot - 1, root: ledger.reached(), slot }
  if (kind === 'root') return ledger.reached()
  const landed = ledger.slots.get(subject)
  if (kind !== 'signature' || landed === undefined || ledger.reached(config?.commitment) < landed) return null
  return { context: { slot }, value: { err: null } }
}
