import type { Repeating } from '../repeating.ts'
import { agentKinds, startAgent } from './agent-callers.ts'
import { collect } from './collect.ts'
import { startConsoleCallers } from './console-callers.ts'
import { type Broken, type FleetFault, faults, letHappen } from './faults.ts'
import { type FleetPlace, untilAllReady } from './fleet.ts'
import { startHealthCallers } from './health-callers.ts'
import type { FaultSeen, Noted, RunRecord } from './record.ts'
import { startCallersOf } from './relay-callers.ts'
import { watchStalls } from './stalls.ts'
import { type FleetWorld, startFleetWorld, wellServices } from './world.ts'

export interface FaultTableOptions {
  /** Null: each fault once. */
  readonly minutes: number | null
  readonly seed: number
  readonly hasOwnMounts: boolean
  /** Is called with one line for each fault that is over. */
  readonly report: (line: string) => void
}

/** One fault begins after each of these. */
const everyMs = 15_000
const readyWithinMs = 120_000

/** Starts the world, lets callers call and faults happen, and returns what was seen, and what processes wrote. */
export async function runFaultTable(
  options: FaultTableOptions,
): Promise<{ readonly record: RunRecord; readonly logs: readonly string[] }> {
  const world = await startFleetWorld(options.hasOwnMounts)
  try {
    const seen: Noted = { calls: [], health: [], acknowledged: [] }
    const stalls = watchStalls()
    const from = performance.now()
    world.site.forget()
    const load = startLoad(world, seen, 1)
    const happened = await letFaultsHappen(world, options)
    await load.stop()
    stalls.stop()
    const watched = { from, until: performance.now(), ...happened, stalls: stalls.seen }
    const record = await collect(world, seen, watched)
    return { record, logs: world.places.map(({ output }) => output()) }
  } finally {
    await world.stop()
  }
}

/** `share` of the usual load, from 0 to 1. */
export function startLoad(world: FleetWorld, seen: Noted, share: number): Repeating {
  const { nginx, node, keys, apiKey } = world
  const every = (ms: number): number => ms / share
  const loads = [
    ...keys.map(({ name, value, limit }) => {
      const traffic = limit === null ? 'relay free' : 'relay limited'
      return startCallersOf(
        { name, value, traffic, callers: 3, everyMs: every(150) },
        nginx.url,
        node,
        seen.calls,
      )
    }),
    ...wellServices.map((service) => startHealthCallers(nginx.url, service, every(200), seen)),
    startConsoleCallers(world.console, every(700), seen),
    ...agentKinds.map((kind) =>
      startAgent(kind, nginx.url, { apiKey, everyMs: every(700), calls: seen.calls }),
    ),
  ]
  return {
    async stop() {
      await Promise.all(loads.map((load) => load.stop()))
    },
  }
}

async function letFaultsHappen(
  world: FleetWorld,
  { minutes, seed, report }: FaultTableOptions,
): Promise<{ readonly faults: FaultSeen[]; readonly ended: string[] }> {
  const broken: Broken = { ...world, random: randomFrom(seed) }
  const happened: FaultSeen[] = []
  const ended: string[] = []
  const beganAt = performance.now()
  const isOver = (): boolean => performance.now() - beganAt >= (minutes ?? 0) * 60_000
  do {
    for (const fault of shuffled(faults, broken)) {
      const began = performance.now()
      try {
        const { failure, ...one } = await letHappen(fault, broken)
        happened.push(one)
        if (failure !== null) throw failure
        await untilAllReady(world.places, readyWithinMs)
        report(`${fault.name} (${one.what}): ${((one.until - one.from) / 1_000).toFixed(1)} s`)
      } catch (error) {
        ended.push(`${fault.name}: ${String(error)}`)
        report(`${fault.name}: ${String(error).slice(0, 300)}`)
        await startStopped(world.places)
      }
      await Bun.sleep(Math.max(0, began + everyMs - performance.now()))
      if (minutes !== null && isOver()) break
    }
  } while (!isOver())
  return { faults: happened, ended }
}

/** So that what follows happens to an installation that is whole. One that does not start is found by the next fault. */
async function startStopped(places: readonly FleetPlace[]): Promise<void> {
  for (const place of places) {
    if (!place.server().program.isRunning()) await place.start().catch(() => undefined)
  }
}

/** Those that are possible here, in an order of chance. */
const shuffled = (all: readonly FleetFault[], broken: Broken): FleetFault[] =>
  all
    .filter((fault) => fault.isPossible?.(broken) ?? true)
    .map((fault) => ({ fault, place: broken.random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ fault }) => fault)

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
