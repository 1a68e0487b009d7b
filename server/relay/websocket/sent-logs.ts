import { quantityIn } from './sent-blocks.ts'

/** The most logs of one stream that are remembered, and the most blocks of which they are. */
const keptLogs = 20_000
const keptBlocks = 128

type LogObject = Readonly<Record<string, unknown>>

/** The logs of one stream that were told last, by the numbers of their blocks. */
export class SentLogs {
  readonly #blocks = new Map<number, Map<string, LogObject>>()
  #count = 0

  /** Takes what a notification holds. Returns false for a log that was told before, and is not taken back. */
  take(value: unknown): boolean {
    const log = readLog(value)
    if (log === null) return true // Whatever it is, the node knows better.
    const block = this.#blocks.get(log.block)
    if (log.isRemoved) {
      if (block?.delete(log.key) === true) this.#count--
      return true
    }
    if (block?.has(log.key) === true) return false
    if (block === undefined) this.#blocks.set(log.block, new Map([[log.key, log.value]]))
    else block.set(log.key, log.value)
    this.#count++
    this.#forget(log.block)
    return true
  }

  /** Forgets the logs of blocks beyond this one, and returns them as nodes tell that they are gone, the last one first. */
  removeBeyond(number: number): LogObject[] {
    const gone = [...this.#blocks]
      .filter(([block]) => block > number)
      .toSorted(([one], [other]) => other - one)
    return gone.flatMap(([block, logs]) => {
      this.#blocks.delete(block)
      this.#count -= logs.size
      return [...logs.values()].toReversed().map((log) => ({ ...log, removed: true }))
    })
  }

  #forget(newest: number): void {
    for (const [block, logs] of this.#blocks) {
      if (block > newest - keptBlocks && this.#count <= keptLogs) continue
      if (block === newest) continue
      this.#blocks.delete(block)
      this.#count -= logs.size
    }
  }
}

function readLog(value: unknown) {
  if (typeof value !== 'object' || value === null) return null
  const log = value as LogObject
  const { blockNumber, blockHash, logIndex, removed } = log
  const block = quantityIn(blockNumber)
  if (block === null || typeof blockHash !== 'string' || typeof logIndex !== 'string') return null
  return { block, key: `${blockHash} ${logIndex}`, isRemoved: removed === true, value: log }
}
