/**
 * The store of the limits, in this process: what `shared-store/` has Redis do by scripts, for workers of one machine
 * (`workers/`), which share no Redis. Nodes speak to it as they do to Redis, so that there is one protocol of leases.
 *
 *  1. `members.ts` knows who shares it. It is the process that starts all nodes, and they end when it does: its epoch never
 *     changes, and no node has to remember for it what another one was granted.
 *  2. `granted-units.ts` grants units, exactly as the scripts do: a test runs both side by side.
 *  3. What counts is kept before anybody hears of it (`takeChanges`), so that neither `kill -9` nor a restart forgets it.
 *
 * Known limitation: what is kept in memory is not bounded, as in Redis: a limit of which something counts takes about
 * 1 kB, until its period is over.
 */
import type { Clock } from '../../platform/clock.ts'
import type { ScriptLogic } from '../../platform/shared-store/store-server.ts'
import type { Script } from '../../platform/shared-store/store-connection.ts'
import { joinScript, leaveScript, scanHeldScript } from '../shared-store/membership-scripts.ts'
import { askScript, giveBackScript, peekScript } from '../shared-store/scripts.ts'
import { settleMicros } from '../shared-store/store-calls.ts'
import { type Ring, ringLatest } from '../window/ring.ts'
import { originMicrosOf } from '../window/window-storage.ts'
import { type AskedLimit, createGrantedUnits } from './granted-units.ts'
import { createMembers } from './members.ts'

export interface OwnLimitStore {
  readonly scripts: readonly (readonly [Script, ScriptLogic])[]
  /** Returns what was changed since it was asked last, to be kept: a limit's key and its text; null: it is gone. */
  takeChanges(): [key: string, text: string | null][]
  dropOld(): void
}

interface OwnLimitStoreOptions {
  readonly clock: Clock
  /** Of this run, for the nodes. */
  readonly runId: string
  /** What an earlier run kept. */
  readonly kept: Iterable<readonly [key: string, text: string]>
}

export function createOwnLimitStore({ clock, runId, kept }: OwnLimitStoreOptions): OwnLimitStore {
  const rings = new Map([...kept].map(([key, text]) => [key, parseRing(text)]))
  const originMicros = originMicrosOf(clock, [...rings.values()].map(ringLatest))
  const micros = (): number => originMicros + Math.round(clock.monotonic() * 1_000)
  const units = createGrantedUnits(rings)
  // Nobody was granted anything that is not in it: there is no time to settle.
  const members = createMembers(runId, micros() - settleMicros)

  return {
    scripts: [
      [joinScript, (_, values) => members.join(values, micros())],
      [leaveScript, (_, [node = '']) => members.leave(node, micros())],
      // For others to remember, should the store lose it: this one does not.
      [scanHeldScript, () => ['0', []]],
      [
        askScript,
        (keys, [epoch = '', node = '', slots, , ...values]) =>
          members.hasSeat(epoch, node)
            ? units.ask(askedLimits(keys.slice(2), values.map(Number)), Number(slots), micros())
            : ['epoch'],
      ],
      [peekScript, ([, ...asked]) => asked.map((key) => units.peek(key, micros()))],
      [
        giveBackScript,
        ([ring = ''], [, bucket, returned]) => {
          units.giveBack(ring, Number(bucket), Number(returned), micros())
          return null
        },
      ],
    ],
    takeChanges: () =>
      units.takeChanges().map(([key, ring]) => [key, ring === null ? null : formatRing(ring)]),
    dropOld: () => units.dropOld(micros()),
  }
}

/** Keys are ring and account of each limit; values five numbers of each. */
const askedLimits = (keys: readonly string[], values: readonly number[]): AskedLimit[] =>
  Array.from({ length: keys.length / 2 }, (_, index) => {
    const [units = 0, width = 0, need = 0, want = 0, granted = 0] = values.slice(index * 5, index * 5 + 5)
    const [key = '', account = ''] = keys.slice(index * 2, index * 2 + 2)
    return { key, account, units, width, need, want, granted }
  })

const formatRing = ({ bucketMicros, cells }: Ring): string => JSON.stringify([bucketMicros, ...cells])

function parseRing(text: string): Ring {
  const [bucketMicros = 1, ...cells] = JSON.parse(text) as number[]
  return { bucketMicros, cells: Float64Array.from(cells) }
}
