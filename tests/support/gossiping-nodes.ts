import { keccak256, Wallet } from 'ethers'

import { type Anvil, startAnvil } from '../../scripts/world/anvil.ts'
import { emitter, emitterCode } from '../../scripts/world/event-chain.ts'
import { repeat, type Repeating } from '../../scripts/world/repeating.ts'

/** How a node is to its callers: it answers, it answers each call with 401 and a JSON-RPC error, or nobody listens. */
export type Manner = 'well' | 'unauthorized' | 'away'

/** Two real nodes of one chain, of which the second gets its blocks from the first, as late as a test likes. */
export interface GossipingNodes {
  readonly urls: readonly string[]
  height(): number
  /** The second node is so many blocks behind from now on. */
  lag(blocks: number): void
  behave(node: 0 | 1, manner: Manner): void
  /** Makes many blocks at once, every twentieth with an event; both nodes have them. */
  grow(blocks: number): Promise<void>
  /** From now on a block with an event comes every so many ms. */
  run(blockMs: number): void
  /** Heights of the blocks with an event. */
  readonly events: readonly number[]
  stop(): Promise<void>
}

export const gossipChainId = 31_337
/** The contract that reverts whatever is asked of it. */
export const reverter = '0x000000000000000000000000000000000000dead'
const startedAt = 1_700_000_000
const eventMaker = new Wallet('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
/** Blocks without an event between two with one, while many are made. */
const emptyBlocks = 19

export async function startGossipingNodes(): Promise<GossipingNodes> {
  const [maker, follower] = await Promise.all([startNode(), startNode()])
  /** The signed transactions of the blocks by height, and of those that are not in a block yet by hash. */
  const blocks = new Map<number, readonly string[]>()
  const pending = new Map<string, string>()
  const events: number[] = []
  let height = 0
  let followed = 0
  let behind = 0
  let making: Repeating | null = null
  /** What the second node is doing; nobody is answered by it meanwhile. */
  let following = Promise.resolve()

  function then(step: () => Promise<void>): Promise<void> {
    following = following.then(step)
    return following
  }
  /** A transaction reaches the maker of blocks whichever node was sent it. */
  function note(raw: string): void {
    pending.set(keccak256(raw), raw)
  }
  async function send(body: string): Promise<string> {
    const { params } = JSON.parse(body) as { readonly params: readonly [string] }
    note(params[0])
    const answer = await (await fetch(maker.url, { ...post, body })).text()
    void then(() => tell(params[0]))
    return answer
  }
  /** Adds a transaction to the second node's pool. It refuses one that it has in a block already. */
  async function tell(raw: string): Promise<void> {
    await follower.rpc('eth_sendRawTransaction', [raw]).catch(() => undefined)
  }
  const gates = [
    openGate(maker.url, send, () => Promise.resolve()),
    openGate(follower.url, send, () => following),
  ]

  async function makeEvent(): Promise<void> {
    const raw = await signedEvent(events.length)
    note(raw)
    await maker.rpc('eth_sendRawTransaction', [raw])
  }
  async function makeBlock(): Promise<void> {
    await makeEvent()
    await maker.rpc('evm_mine')
    height++
    const block = (await maker.rpc('eth_getBlockByNumber', ['latest', false])) as { transactions: string[] }
    blocks.set(
      height,
      block.transactions.map((hash) => pending.get(hash) ?? ''),
    )
    for (const hash of block.transactions) pending.delete(hash)
    events.push(height)
  }
  /** Its blocks must hold what those of the first node hold, and nothing else of its pool. */
  async function follow(): Promise<void> {
    if (followed >= height - behind) return
    await follower.rpc('anvil_dropAllTransactions')
    while (followed < height - behind) {
      for (const raw of blocks.get(followed + 1) ?? []) await follower.rpc('eth_sendRawTransaction', [raw])
      await follower.rpc('evm_mine')
      followed++
    }
    for (let late = followed + 1; late <= height; late++)
      for (const raw of blocks.get(late) ?? []) await tell(raw)
    for (const raw of pending.values()) await tell(raw)
  }
  return {
    urls: gates.map(({ url }) => url),
    height: () => height,
    events,
    lag(count) {
      behind = count
    },
    behave: (node, manner) => gates[node]?.behave(manner),
    async grow(count) {
      for (const until = height + count; height < until;) {
        await makeBlock()
        await then(follow)
        await Promise.all([maker, follower].map(emptyOn))
        height += emptyBlocks
        followed = height
      }
    },
    run(blockMs) {
      making = repeat(() => makeBlock().then(() => then(follow)), blockMs)
    },
    async stop() {
      await making?.stop()
      await following
      for (const gate of gates) gate.close()
      await Promise.all([maker.stop(), follower.stop()])
    },
  }
}

async function emptyOn({ rpc }: Anvil): Promise<void> {
  await rpc('anvil_mine', [emptyBlocks])
}

const post = { method: 'POST', headers: { 'content-type': 'application/json' } }

interface Gate {
  readonly url: string
  behave(manner: Manner): void
  close(): void
}

interface PassedSocket {
  readonly node: WebSocket
  /** What the caller sent before the connection to the node was open. */
  readonly early: string[]
}

/** WebSockets of callers, each with one to the node behind it. */
const passOn: Bun.WebSocketHandler<PassedSocket> = {
  open(caller) {
    const { node, early } = caller.data
    node.addEventListener('open', () => {
      for (const text of early) node.send(text)
    })
    node.addEventListener('message', ({ data }) => void caller.send(String(data)))
    node.addEventListener('close', () => caller.close())
  },
  message(caller, text) {
    const { node, early } = caller.data
    if (node.readyState === WebSocket.OPEN) node.send(String(text))
    else early.push(String(text))
  },
  close: (caller) => caller.data.node.close(),
}

/** What callers of a node reach, over HTTP and WebSocket. */
function openGate(node: string, send: (body: string) => Promise<string>, isFree: () => Promise<void>): Gate {
  let manner: Manner = 'well'
  const listen = (port: number) =>
    Bun.serve({
      hostname: '127.0.0.1',
      port,
      async fetch(request, server) {
        if (server.upgrade(request, { data: { node: new WebSocket(node.replace('http', 'ws')), early: [] } }))
          return
        const body = await request.text()
        if (manner !== 'well') return unauthorized(body)
        await isFree()
        const isSent = body.startsWith('{') && body.includes('"eth_sendRawTransaction"')
        const answer = isSent ? await send(body) : await (await fetch(node, { ...post, body })).text()
        return new Response(answer, { headers: post.headers })
      },
      websocket: passOn,
    })
  let server: ReturnType<typeof listen> | null = listen(0)
  const port = server.port ?? 0
  return {
    url: `http://127.0.0.1:${port}/`,
    behave(next) {
      manner = next
      if (next === 'away') {
        void server?.stop(true)
        server = null
      } else server ??= listen(port)
    },
    close: () => void server?.stop(true),
  }
}

function unauthorized(body: string): Response {
  const id = /"id":(\d+)/.exec(body)?.[1] ?? 'null'
  const text = `{"jsonrpc":"2.0","id":${id},"error":{"code":-32600,"message":"Must be authenticated!"}}`
  return new Response(text, { status: 401, headers: post.headers })
}

async function startNode(): Promise<Anvil> {
  const anvil = await startAnvil({ chainId: gossipChainId, timestamp: startedAt, blocks: 'on-demand' })
  await anvil.rpc('anvil_setCode', [emitter, emitterCode])
  await anvil.rpc('anvil_setCode', [reverter, '0x60006000fd'])
  // Otherwise the time of a block depends on when it is made, and the nodes would make different ones.
  await anvil.rpc('anvil_setBlockTimestampInterval', [2])
  return anvil
}

const signedEvent = (nonce: number): Promise<string> =>
  eventMaker.signTransaction({
    type: 2,
    chainId: gossipChainId,
    nonce,
    to: emitter,
    gasLimit: 60_000,
    maxFeePerGas: 10_000_000_000,
    maxPriorityFeePerGas: 2,
  })
