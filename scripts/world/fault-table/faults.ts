import { rmSync } from 'node:fs'
import { join } from 'node:path'

import { fillDisk } from '../fill-disk.ts'
import { waitUntil } from '../wait-until.ts'
import type { Engines } from './engines.ts'
import { decidingPlace, type FleetPlace } from './fleet.ts'
import type { Engine, FaultSeen, RunSpan } from './record.ts'

/** Where faults happen, and by what they choose. */
export interface Broken {
  readonly engines: Engines
  readonly places: readonly FleetPlace[]
  /** From 0 to 1, the same for the same seed. */
  readonly random: () => number
}

type Happened = Pick<FaultSeen, 'what'> & Partial<Pick<FaultSeen, 'death' | 'endsStreams' | 'away'>>

/** One thing that ordinarily goes wrong. `happen` resolves when everything is there again. */
export interface FleetFault {
  readonly name: string
  isPossible?(broken: Broken): boolean
  happen(broken: Broken): Promise<Happened>
}

const hourSec = 3_600
const backWithinMs = 60_000

export const faults: readonly FleetFault[] = [
  { name: 'kill -9 of the owner', happen: killOwner },
  { name: 'owner frozen for 6 s', happen: freezeOwner },
  { name: 'standby promoted', happen: promoteStandby },
  { name: 'Redis primary killed', happen: killStore },
  {
    name: 'data folder full for 6 s',
    isPossible: ({ places }) => places.every(({ smallFolder }) => smallFolder !== null),
    happen: fillFolder,
  },
  {
    name: 'clock an hour ahead for 8 s',
    isPossible: ({ places }) => places.every(({ clock }) => clock !== null),
    happen: setClock,
  },
  { name: 'rolling restart', happen: restartAll },
  { name: 'pooler frozen for 4 s', happen: freezePooler },
  { name: 'pooler killed', happen: killPooler },
]

/** Lets one happen, and says when. A fault that does not end as it should is part of what is seen, too. */
export async function letHappen(
  { name, happen }: FleetFault,
  broken: Broken,
): Promise<FaultSeen & { readonly failure: unknown }> {
  const seen = { what: '', death: null, endsStreams: false, away: [], failure: null }
  const from = performance.now()
  const happened = await happen(broken).catch((failure: unknown) => ({ what: 'failed', failure }))
  return { ...seen, name, ...happened, from, until: performance.now() }
}

async function foundOwner({ places }: Broken): Promise<FleetPlace> {
  let owner: FleetPlace | null = null
  await waitUntil(
    'somebody decides',
    async () => (owner = await decidingPlace(places)) !== null,
    backWithinMs,
  )
  return owner ?? raise('nobody decides')
}

function anyOf({ places, random }: Broken): FleetPlace {
  return places[Math.floor(random() * places.length)] ?? raise('there are no processes')
}

function raise(problem: string): never {
  throw new Error(problem)
}

async function killOwner(broken: Broken): Promise<Happened> {
  const owner = await foundOwner(broken)
  const from = performance.now()
  await owner.server().kill9()
  const death = { from, until: performance.now() }
  await Bun.sleep(3_000)
  await owner.start()
  return { what: owner.name, death, endsStreams: true }
}

async function freezeOwner(broken: Broken): Promise<Happened> {
  const owner = await foundOwner(broken)
  const { pid } = owner.server()
  const from = performance.now()
  process.kill(pid, 'SIGSTOP')
  await Bun.sleep(6_000)
  process.kill(pid, 'SIGCONT')
  return { what: owner.name, away: [{ engine: 'session', from, until: performance.now() }] }
}

/** Returns how long an engine was away because of what is done. */
async function awayDuring(
  engine: Engine,
  isBack: () => boolean | Promise<boolean>,
  work: () => Promise<void>,
): Promise<RunSpan & { readonly engine: Engine }> {
  const from = performance.now()
  await work()
  await waitUntil(`${engine} is back`, isBack, backWithinMs)
  return { engine, from, until: performance.now() }
}

async function promoteStandby({ engines }: Broken): Promise<Happened> {
  const { postgres, pooler } = engines
  const before = postgres.primaryPort()
  const away = await awayDuring('database', engines.isWritable, async () => {
    await postgres.failOver()
    pooler.redirect(postgres.primaryPort())
  })
  await postgres.renewStandby()
  await postgres.confirmByStandby()
  return { what: `port ${before} to ${postgres.primaryPort()}`, away: [away] }
}

async function killStore({ engines: { cluster } }: Broken): Promise<Happened> {
  const key = cluster.nodes.map(({ cli }) => cli('KEYS', '*:epoch')).find((found) => found !== '')
  if (key === undefined) throw new Error('no node of the cluster has counts')
  const killed = cluster.ownerOf(key)
  const goesOn = (): boolean => {
    try {
      return cluster.ownerOf(key).cli('CLUSTER', 'INFO').includes('cluster_state:ok')
    } catch {
      return false
    }
  }
  const away = await awayDuring('limits', goesOn, () => killed.stop())
  const node = cluster.nodes.find(({ port }) => port === killed.port)
  await node?.start()
  return { what: `port ${killed.port}`, away: [away] }
}

async function fillFolder(broken: Broken): Promise<Happened> {
  const place = anyOf(broken)
  const filler = join(place.smallFolder ?? raise('it has no small folder'), 'filler')
  fillDisk(filler)
  await Bun.sleep(6_000)
  rmSync(filler)
  return { what: place.name }
}

async function setClock(broken: Broken): Promise<Happened> {
  const place = anyOf(broken)
  place.clock?.set(hourSec)
  await Bun.sleep(8_000)
  place.clock?.set(0)
  return { what: place.name }
}

async function restartAll({ places }: Broken): Promise<Happened> {
  for (const place of places) {
    const code = await place.server().stop()
    if (code !== 0) throw new Error(`${place.name} ended with ${code}`)
    await place.start()
  }
  return { what: 'one after the other', endsStreams: true }
}

async function freezePooler({ engines: { pooler, isWritable } }: Broken): Promise<Happened> {
  const away = await awayDuring('database', isWritable, async () => {
    pooler.pause()
    await Bun.sleep(4_000)
    pooler.resume()
  })
  return { what: 'pgbouncer', away: [away] }
}

async function killPooler({ engines: { pooler, isWritable } }: Broken): Promise<Happened> {
  const away = await awayDuring('database', isWritable, async () => {
    await pooler.kill()
    await Bun.sleep(2_000)
    await pooler.start()
  })
  return { what: 'pgbouncer', away: [away] }
}
