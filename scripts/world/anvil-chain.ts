import { startAnvil } from './anvil.ts'
import type { Anvil } from './anvil.ts'
import { repeat } from './repeating.ts'

/** One of several nodes of a chain. All have the same blocks as long as nothing below is done to one of them. */
export interface ChainNode {
  readonly url: string
  /** Gets no new blocks from now on. */
  hold(): void
  /** Has from now on so many blocks fewer than the others, and gets one whenever they do. */
  trail(blocks: number): void
  /** Makes its next blocks with other timestamps, and so with other hashes. */
  fork(): void
  /** Gets every block that it misses, and follows from now on. After a fork it begins anew from the first block. */
  heal(): Promise<void>
  /** The process ends; `start` makes a new one at the same address, with all blocks. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Still takes connections and never answers, until `resume`. */
  pause(): Promise<void>
  resume(): void
}

export interface AnvilChain {
  readonly nodes: readonly ChainNode[]
  /** Height of the nodes that follow. */
  height(): number
  stop(): Promise<void>
}

const chainId = 31337
const blockSec = 1

/** Starts nodes of one chain that get a block each second. Its chain id is 31337. `age` is how many it has by now. */
export async function startAnvilChain(count: number, age = 1): Promise<AnvilChain> {
  const genesisAt = Math.floor(Date.now() / 1000) - age
  let height = 0
  const nodes: FollowingNode[] = []
  for (let index = 0; index < count; index++) nodes.push(await startFollowingNode(genesisAt))

  /** Whoever trails comes first: seen between two calls, a node is never further behind than it should be. */
  const inOrder = () => nodes.toSorted((left, right) => right.behind() - left.behind())
  async function mineDue(): Promise<void> {
    const due = Math.floor(Date.now() / 1000) - genesisAt
    while (height < due) {
      height += blockSec
      await Promise.all(inOrder().map((node) => node.follow(height)))
    }
  }
  const mining = repeat(mineDue, 20)

  return {
    nodes,
    height: () => height,
    async stop() {
      await mining.stop()
      await Promise.all(nodes.map((node) => node.stop()))
    },
  }
}

interface FollowingNode extends ChainNode {
  /** How far behind the others it is meant to be. */
  behind(): number
  /** The chain has this height now. */
  follow(chainHeight: number): Promise<void>
}

async function startFollowingNode(genesisAt: number): Promise<FollowingNode> {
  const options = { chainId, timestamp: genesisAt, blocks: 'on-demand' } as const
  let anvil: Anvil | null = await startAnvil(options)
  const { url } = anvil
  const port = Number(new URL(url).port)
  let chainHeight = 0
  let own = 0
  let behind = 0
  let isHeld = false
  let isPaused = false
  let isForked = false
  let work = Promise.resolve()

  async function catchUp(): Promise<void> {
    if (anvil === null || isHeld || isPaused) return
    while (own < chainHeight - behind) {
      own += 1
      await anvil.mine([genesisAt + own * blockSec + (isForked ? 1 : 0)])
    }
  }
  async function startAnew(): Promise<void> {
    await anvil?.stop()
    anvil = await startAnvil({ ...options, port })
    own = 0
    isForked = false
    await catchUp()
  }
  /** One thing after the other, or two of them would mine the same block. */
  function then(step: () => Promise<void>): Promise<void> {
    work = work.then(step)
    return work
  }

  return {
    url,
    behind: () => behind,
    follow(height) {
      chainHeight = height
      return then(catchUp)
    },
    hold() {
      isHeld = true
    },
    trail(blocks) {
      behind = blocks
    },
    fork() {
      isForked = true
    },
    heal: () =>
      then(async () => {
        isHeld = false
        behind = 0
        if (isForked) await startAnew() // the blocks after anvil_rollback have other hashes than before it
        else await catchUp()
      }),
    stop: () =>
      then(async () => {
        await anvil?.stop()
        anvil = null
      }),
    start: () => then(startAnew),
    // Not in the middle of a block: whoever mines it would wait until the node is resumed.
    pause: () =>
      then(async () => {
        isPaused = true
        anvil?.pause()
      }),
    resume() {
      isPaused = false
      anvil?.resume()
    },
  }
}
