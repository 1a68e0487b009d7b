import { createChainFollower } from './chain-follower.ts'
import { startOneProcess, startTwoProcesses } from './world.ts'

export interface OneChainOptions {
  /** How often the newest block, its content, its events and its state are asked for, with each lag. */
  readonly rounds: number
  readonly processes: 1 | 2
  /** Is told of each lag when its rounds are done. */
  readonly report: (line: string) => void
}

/** How many blocks one of the three nodes is behind. */
const lags = [1, 3, 12]

/** Follows one chain through the relay while one of its nodes is behind. Returns how often it was no chain. */
export async function followOneChain({ rounds, processes, report }: OneChainOptions): Promise<number> {
  const { chain, urls, stop } = processes === 1 ? await startOneProcess() : await startTwoProcesses()
  let faults = 0
  try {
    for (const lag of lags) {
      await chain.trail(2, lag)
      const follower = createChainFollower(urls)
      const [from, startedAt] = [chain.height(), performance.now()]
      await follower.followFor(Number.POSITIVE_INFINITY, rounds)
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
      report(
        `${lag} behind: ${follower.rounds} rounds, ${follower.calls} calls, ${chain.height() - from} blocks, ${seconds} s, faults: ${follower.faults.length}`,
      )
      for (const fault of follower.faults.slice(0, 10)) report(`  ${fault}`)
      faults += follower.faults.length
    }
  } finally {
    await stop()
  }
  return faults
}
