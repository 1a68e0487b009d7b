import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { residentMb } from '../sse-streams.ts'
import { collect } from './collect.ts'
import type { FleetPlace } from './fleet.ts'
import type { Noted, RunRecord } from './record.ts'
import { startLoad } from './run.ts'
import type { SoakSample } from './soak-judge.ts'
import { sharedMs } from './spans.ts'
import { watchStalls } from './stalls.ts'
import { startFleetWorld } from './world.ts'

const everyMs = 10_000
const share = 0.5

/** Half of the load of the fault table and no fault: returns what callers saw, and how the processes were. */
export async function runSoak(
  minutes: number,
  hasOwnMounts: boolean,
): Promise<{ readonly record: RunRecord; readonly samples: readonly SoakSample[] }> {
  const world = await startFleetWorld(hasOwnMounts)
  try {
    const seen: Noted = { calls: [], health: [], acknowledged: [] }
    const samples: SoakSample[] = []
    const stalls = watchStalls()
    const from = performance.now()
    world.site.forget()
    const load = startLoad(world, seen, share)
    while (performance.now() - from < minutes * 60_000) {
      await Bun.sleep(everyMs)
      const now = performance.now()
      const stalledMs = sharedMs({ from: now - everyMs, until: now }, stalls.seen)
      for (const place of world.places)
        samples.push({ ...(await sampleOf(place)), at: now - from, stalledMs })
    }
    await load.stop()
    stalls.stop()
    const watched = { from, until: performance.now(), faults: [], ended: [], stalls: stalls.seen }
    return { record: await collect(world, seen, watched), samples }
  } finally {
    await world.stop()
  }
}

async function sampleOf({ name, url, server }: FleetPlace): Promise<Omit<SoakSample, 'at' | 'stalledMs'>> {
  const { pid, dataDir } = server()
  const token = readFileSync(join(dataDir, 'private', 'metrics-token'), 'utf8').trim()
  const metrics = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  const [, lagSec] = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(await metrics.text()) ?? []
  return {
    process: name,
    residentMb: residentMb(pid),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    lagMs: Number(lagSec) * 1_000,
  }
}
