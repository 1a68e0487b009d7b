import type { Clock } from '../../platform/clock.ts'
import { periodMs } from '../../../shared/periods.ts'
import { listIn, type StoreConnection } from '../../platform/shared-store/store-connection.ts'
import { StoreLost } from '../../platform/shared-store/store-failure.ts'
import { bucketMicrosOf } from '../window/ring.ts'
import { microsAt, storeSlots } from './lease.ts'
import { readLedgerScript, scanHeldScript } from './membership-scripts.ts'
import { postScript } from './scripts.ts'
import { type LimitKeys, periodOfRing } from './store-keys.ts'

/** The grants of one limit to one node. */
export interface LedgerEntry {
  readonly nodeId: string
  /** The key of the limit's ring in the store. */
  readonly ring: string
  /** The number of units ever granted. */
  readonly granted: number
  /** The grants that may still count, newest first. `endsAt` is in µs of this process's monotonic clock. */
  readonly content: readonly { endsAt: number; units: number }[]
}

/** The ledger in the store: the entries of this node and of others. `now` is in ms of the monotonic clock. */
export interface LeaseLedger {
  /** Makes the store count again what it has lost of an entry. Repeating it changes nothing. */
  post(epoch: string, entry: LedgerEntry, now: number): Promise<void>
  /**
   * Reads the entries of a node that may still count, in portions. Rejects when the store began another epoch.
   */
  read(epoch: string, nodeId: string): AsyncGenerator<LedgerEntry[]>
  /** Returns true when something of the entry may still count. */
  counts(entry: LedgerEntry): boolean
}

const widthOf = (ring: string): number => bucketMicrosOf(periodMs[periodOfRing(ring)] * 1_000)

export function createLeaseLedger(
  connection: StoreConnection,
  limitKeys: LimitKeys,
  clock: Clock,
): LeaseLedger {
  async function* read(epoch: string, nodeId: string): AsyncGenerator<LedgerEntry[]> {
    let cursor = '0'
    do {
      const answer = await connection.run(
        scanHeldScript,
        [limitKeys.epoch, limitKeys.held(nodeId)],
        [epoch, cursor],
      )
      const [next, rings] = listIn(ofThisEpoch(answer))
      cursor = String(next)
      yield await readOf(epoch, nodeId, listIn(rings).map(String))
    } while (cursor !== '0')
  }

  async function readOf(epoch: string, nodeId: string, rings: readonly string[]): Promise<LedgerEntry[]> {
    if (rings.length === 0) return []
    const keys = rings.map((ring) => limitKeys.ledger(ring, nodeId))
    const answer = await connection.run(
      readLedgerScript,
      [limitKeys.epoch, ...keys],
      [epoch, ...rings.map(widthOf)],
    )
    const micros = microsAt(clock.monotonic())
    return listIn(ofThisEpoch(answer)).flatMap((fields, index) => {
      const [granted, ...aged] = listIn(fields).map(Number)
      const ring = rings[index]
      if (granted === undefined || ring === undefined) return []
      return [{ nodeId, ring, granted, content: contentOf(aged, micros) }]
    })
  }

  return {
    read,
    counts({ ring, content }) {
      const oldest = microsAt(clock.monotonic()) - widthOf(ring) * storeSlots
      return content.some(({ endsAt }) => endsAt >= oldest)
    },
    async post(epoch, { nodeId, ring, granted, content }, now) {
      if (content.length === 0) return
      const micros = microsAt(now)
      // The end of a sub-bucket is the latest that its units can have been granted: they count rather longer.
      const aged = content.flatMap(({ endsAt, units }) => [Math.max(0, micros - endsAt), units])
      const keys = [limitKeys.epoch, limitKeys.held(nodeId), ring, limitKeys.ledger(ring, nodeId)]
      const answer = await connection.run(postScript, keys, [
        epoch,
        storeSlots,
        widthOf(ring),
        granted,
        ...aged,
      ])
      ofThisEpoch(answer)
    },
  }
}

function contentOf(aged: readonly number[], micros: number): LedgerEntry['content'] {
  const content: { endsAt: number; units: number }[] = []
  for (let index = 0; index + 1 < aged.length; index += 2) {
    const [age = 0, units = 0] = aged.slice(index, index + 2)
    content.push({ endsAt: micros - age, units })
  }
  return content.sort((one, other) => other.endsAt - one.endsAt)
}

function ofThisEpoch(answer: unknown): unknown {
  if (answer === 'epoch') throw anotherEpoch()
  return answer
}

const anotherEpoch = (): StoreLost => new StoreLost('the store began another epoch')
