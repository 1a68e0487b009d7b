import type { Limit, LimitName } from '../../../shared/limits.ts'
import type { StoreConnection } from '../../platform/shared-store/store-connection.ts'
import { StoreLost } from '../../platform/shared-store/store-failure.ts'
import { ringContent, ringUsed } from '../window/ring.ts'
import type { LeaseLedger } from './lease-ledger.ts'
import { bucketMicros, type Lease, type LeasedLimit, microsAt, storeSlots } from './lease.ts'
import { askScript, giveBackScript, peekScript } from './scripts.ts'
import type { LimitKeys } from './store-keys.ts'

/** A request for more units of one limit. */
export interface LeaseRequest {
  readonly leased: LeasedLimit
  readonly need: number
  readonly want: number
}

export interface Grant {
  readonly units: number
  readonly remaining: number
  readonly bucket: number
  /** The number of units ever granted to this node. */
  readonly granted: number
}

export type LeaseResponse =
  | { readonly kind: 'granted'; readonly grants: readonly Grant[] }
  | { readonly kind: 'refused'; readonly refusals: readonly { waitMicros: number; remaining: number }[] }
  | { readonly kind: 'settling'; readonly waitMicros: number }
  | { readonly kind: 'behind' | 'epoch' }

export interface NamedLimit {
  readonly name: LimitName
  readonly limit: Limit
}

export interface LimitStore {
  requestLeases(epoch: string, requests: readonly LeaseRequest[], now: number): Promise<LeaseResponse>
  /** Makes the store count again what it has lost of this node's grants of a limit. */
  post(epoch: string, leased: LeasedLimit, now: number): Promise<void>
  /** Returns the units that count in each of the limits of a key or an account, in their order. */
  peek(ownerId: string, limits: readonly NamedLimit[]): Promise<number[]>
  giveBack(leased: LeasedLimit, lease: Lease, units: number): Promise<void>
}

/** The time after a loss of data in which nothing is granted, so that all nodes can return and post. */
export const settleMicros = 1_500_000

export function createLimitStore(
  connection: StoreConnection,
  limitKeys: LimitKeys,
  ledger: LeaseLedger,
  nodeId: string,
): LimitStore {
  const ringOf = ({ ownerId, name, limit }: LeasedLimit): string => limitKeys.ring(ownerId, name, limit)
  return {
    async requestLeases(epoch, requests, now) {
      const keys = requests.flatMap(({ leased }) => {
        const ring = ringOf(leased)
        return [ring, limitKeys.ledger(ring, nodeId)]
      })
      const values = requests.flatMap(({ leased, need, want }) => [
        leased.limit.units,
        bucketMicros(leased.limit),
        need,
        want,
        // What has left every window need not be known to the store, whose account may have been dropped with it.
        ringUsed(leased.record, microsAt(now)) > 0 ? leased.granted : 0,
      ])
      const answer = await connection.run(
        askScript,
        [limitKeys.epoch, limitKeys.held(nodeId), ...keys],
        [epoch, nodeId, storeSlots, settleMicros, ...values],
      )
      return readAnswer(answer, requests.length)
    },

    async post(epoch, leased, now) {
      const content = ringContent(leased.record, microsAt(now))
      const ring = ringOf(leased)
      await ledger.post(epoch, { nodeId, ring, granted: leased.granted, content }, now)
    },

    async peek(ownerId, limits) {
      const rings = limits.map(({ name, limit }) => limitKeys.ring(ownerId, name, limit))
      const widths = limits.map(({ limit }) => bucketMicros(limit))
      const answer = await connection.run(peekScript, [limitKeys.epoch, ...rings], [storeSlots, ...widths])
      const used = Array.isArray(answer) ? answer.map(Number) : []
      if (used.length !== limits.length || !used.every(Number.isSafeInteger)) {
        throw new StoreLost('an unexpected answer')
      }
      return used
    },

    async giveBack(leased, lease, units) {
      await connection.run(giveBackScript, [ringOf(leased)], [storeSlots, lease.bucket, units])
    },
  }
}

function readAnswer(answer: unknown, limits: number): LeaseResponse {
  const [kind, ...values] = Array.isArray(answer) ? (answer as unknown[]) : []
  const numbers = values.map(Number)
  const number = (index: number): number => {
    const value = numbers[index]
    if (value === undefined || !Number.isFinite(value)) throw new StoreLost('an unexpected answer')
    return value
  }
  const perLimit = <Value>(read: (index: number) => Value): Value[] =>
    Array.from({ length: limits }, (_, index) => read(index))

  switch (kind) {
    case 'granted':
      return {
        kind,
        grants: perLimit((index) => ({
          units: number(index * 4),
          remaining: number(index * 4 + 1),
          bucket: number(index * 4 + 2),
          granted: number(index * 4 + 3),
        })),
      }
    case 'refused':
      return {
        kind,
        refusals: perLimit((index) => ({ waitMicros: number(index * 2), remaining: number(index * 2 + 1) })),
      }
    case 'settling':
      return { kind, waitMicros: number(0) }
    case 'behind':
    case 'epoch':
      return { kind }
    default:
      throw new StoreLost('an unexpected answer')
  }
}
