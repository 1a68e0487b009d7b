import { Wallet } from 'ethers'

import { type Anvil, startAnvil } from './anvil.ts'
import { repeat } from './repeating.ts'

/** Several real nodes of one chain with an event in every block, which some of them get late. */
export interface EventChain {
  /** In the order of the nodes. */
  readonly urls: readonly string[]
  /** Height of the nodes that do not trail. */
  height(): number
  /** Makes a node trail by so many blocks: it waits for them, or catches up. Resolves when it does. */
  trail(node: number, blocks: number): Promise<void>
  /** Replaces the newest blocks of all nodes with fewer others. */
  reorganise(depth: number, others: number): Promise<void>
  /** Makes no more blocks, or goes on. */
  pause(isPaused: boolean): void
  stop(): Promise<void>
}

export interface EventChainOptions {
  readonly nodes: number
  readonly blockMs: number
}

export const eventChainId = 31_337
/** The account that anvil gives its first coins to. */
const sender = new Wallet('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
/** The contract that writes the height of its block into a log whenever it is called. */
export const emitter = '0x00000000000000000000000000000000000e7e47'
export const emitterCode = '0x4360005260206000a000'
/** Blocks are made faster than their timestamps, which are in seconds, can follow the time. */
const startedAt = 1_700_000_000

interface Node {
  readonly anvil: Anvil
  height: number
  behind: number
}

export async function startEventChain({ nodes: count, blockMs }: EventChainOptions): Promise<EventChain> {
  const nodes = await Promise.all(Array.from({ length: count }, startNode))
  const signed: string[] = []
  /** Blocks above this height have other timestamps, and so other hashes. */
  let forkedAt = Number.POSITIVE_INFINITY
  let height = 0
  let work = Promise.resolve()
  let isPaused = false

  async function advance(node: Node): Promise<void> {
    while (node.height < height - node.behind) {
      const next = node.height + 1
      signed[next] ??= await signedFor(next)
      await node.anvil.rpc('eth_sendRawTransaction', [signed[next]])
      await node.anvil.mine([startedAt + next * 2 + (next > forkedAt ? 1 : 0)])
      node.height = next
    }
  }
  /** One thing after the other; whoever trails comes first, so that nobody is ever further behind than meant. */
  function then(step: () => Promise<void>): Promise<void> {
    work = work.then(step)
    return work
  }
  const advanceAll = async (): Promise<void> => {
    for (const node of nodes.toSorted((one, other) => other.behind - one.behind)) await advance(node)
  }
  const mining = repeat(
    () =>
      then(async () => {
        if (!isPaused) height++
        await advanceAll()
      }),
    blockMs,
  )

  return {
    urls: nodes.map(({ anvil }) => anvil.url),
    height: () => height,
    trail: (index, blocks) =>
      then(async () => {
        const node = nodes[index]
        if (node === undefined) throw new RangeError(`there is no node ${index}`)
        node.behind = blocks
        height = Math.max(height, node.height + blocks)
        await advanceAll()
      }),
    reorganise: (depth, others) =>
      then(async () => {
        forkedAt = height - depth
        for (const node of nodes) {
          const back = Math.max(0, node.height - forkedAt)
          if (back > 0) await node.anvil.rpc('anvil_rollback', [back])
          node.height -= back
        }
        height += others - depth
        await advanceAll()
      }),
    pause(paused) {
      isPaused = paused
    },
    async stop() {
      await mining.stop()
      await Promise.all(nodes.map(({ anvil }) => anvil.stop()))
    },
  }
}

async function startNode(): Promise<Node> {
  const anvil = await startAnvil({ chainId: eventChainId, timestamp: startedAt, blocks: 'on-demand' })
  await anvil.rpc('anvil_setCode', [emitter, emitterCode])
  return { anvil, height: 0, behind: 0 }
}

const signedFor = (height: number): Promise<string> =>
  sender.signTransaction({
    type: 2,
    chainId: eventChainId,
    nonce: height - 1,
    to: emitter,
    gasLimit: 60_000,
    maxFeePerGas: 10_000_000_000,
    maxPriorityFeePerGas: 1,
  })
