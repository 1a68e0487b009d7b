import { waitUntil } from '../wait-until.ts'
import type { Outage } from './timeline.ts'
import type { World } from './world.ts'

/** What a fault of the whole installation made of its services. */
export interface InstallationRow {
  readonly fault: string
  readonly expected: string
  readonly decided: string
  /** Null where nothing was to be decided. */
  readonly tookSec: number | null
}

/** Lets it happen and heals it. Notes the time in which UNKNOWN is right. */
export type InstallationFault = (world: World, outages: Outage[]) => Promise<InstallationRow>

/** Longer than a report counts at the default interval, which is 32 s. */
const silentMs = 40_000
const skewSec = 3_600
const skewedMs = 30_000
/** An interval with its jitter, so that each verifier has probed everything again. */
const roundMs = 12_000
/** Two intervals with their jitter, and a second for the way. */
const noticedMs = 23_000

const unchanged = (fault: string): InstallationRow => ({
  fault,
  expected: 'no change',
  decided: 'no change',
  tookSec: null,
})

const upIds = ({ services, timeline }: World): string[] =>
  services.filter(({ id }) => timeline.current(id) === 'UP').map(({ id }) => id)

/** Changes that are wrong are found in the timeline by `judge.ts`. */
const silent: InstallationFault = async ({ verifier }) => {
  verifier.program.signal('SIGSTOP')
  await Bun.sleep(silentMs)
  verifier.program.signal('SIGCONT')
  return unchanged('one verifier of three silent')
}

const skewed: InstallationFault = async ({ clock }) => {
  const fault = 'the clock of a verifier an hour ahead, then an hour behind'
  if (clock === null) return { fault, expected: 'left out', decided: 'left out', tookSec: null }
  clock.set(skewSec)
  await Bun.sleep(skewedMs)
  clock.set(-skewSec)
  await Bun.sleep(skewedMs)
  clock.set(0)
  return unchanged(fault)
}

const restarted: InstallationFault = async (world) => {
  await world.restart()
  await Bun.sleep(roundMs)
  return unchanged('the server killed and started again')
}

const cutOff: InstallationFault = async (world, outages) => {
  const { services, timeline } = world
  const known = upIds(world)
  const beganAt = performance.now()
  const outage = { beganAt, endedAt: Number.POSITIVE_INFINITY }
  outages.push(outage)
  await Promise.all(services.map(({ line }) => line.cut()))
  const isUnknown = () => known.every((id) => timeline.current(id) === 'UNKNOWN')
  const tookSec = await waitUntil('nothing is known', isUnknown, noticedMs).then(
    () => (performance.now() - beganAt) / 1000,
    () => null,
  )
  const states = known.map((id) => timeline.current(id))
  const others = [...new Set(states.filter((state) => state !== 'UNKNOWN'))]
  await Promise.all(services.map(({ line }) => line.reconnect()))
  outage.endedAt = performance.now()
  await waitUntil('they are UP again', () => known.every((id) => timeline.current(id) === 'UP'), 90_000)
  return {
    fault: 'the network of all verifiers gone',
    expected: 'UNKNOWN',
    decided: tookSec === null ? `${others.join(', ')} among them` : 'UNKNOWN',
    tookSec,
  }
}

export const installationFaults = { silent, skewed, restarted, cutOff } as const
