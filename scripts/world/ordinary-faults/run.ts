import { minuteMs } from '../../../shared/durations.ts'
import { waitUntil } from '../wait-until.ts'
import type { OrdinaryFault } from './faults.ts'
import { ordinaryFaults } from './faults.ts'
import { afterOutageMs, missedFaults, wrongDecisions } from './judge.ts'
import type { Occurrence, WrongDecision } from './judge.ts'
import type { Outage } from './timeline.ts'
import { installationFaults } from './installation-faults.ts'
import type { InstallationFault, InstallationRow } from './installation-faults.ts'
import type { WatchedService } from './watched-service.ts'
import { startWorld } from './world.ts'
import type { World } from './world.ts'

export interface FaultRunOptions {
  /** One fault begins each minute; null: each of them once, one second after the other, which takes three minutes. */
  readonly minutes: number | null
  /** Is called with one line for each fault that is over. */
  readonly report?: (line: string) => void
}

export interface FaultReport {
  readonly services: number
  readonly families: number
  /** Nodes that were run, and not recorded. */
  readonly real: readonly string[]
  /** Services to which nothing was done. */
  readonly untouched: number
  readonly tookSec: number
  readonly startedAt: number
  /** Seconds in which the nodes of the world stood still, because the machine had no time for them. */
  readonly stalls: readonly Outage[]
  /** Faults that cannot be made on this machine, because a program is not installed. */
  readonly leftOut: readonly string[]
  readonly occurrences: readonly Occurrence[]
  readonly installation: readonly InstallationRow[]
  readonly missed: readonly Occurrence[]
  readonly wrong: readonly WrongDecision[]
}

const shortGapMs = 1_200
/** The machine may be busy with something else. */
const slackSec = 10
const recoveryMs = 240_000
/** How long a fault goes on after it was decided, where there is time. */
const afterwardsMs = 20_000

/** Starts the world, lets every fault happen, and says what was decided. */
export async function runOrdinaryFaults({
  minutes,
  report = () => {},
}: FaultRunOptions): Promise<FaultReport> {
  const world = await startWorld()
  try {
    const startedAt = performance.now()
    const run = createRun(world, minutes !== null, report)
    const { outages, rows } = minutes === null ? await runShort(run) : await runLong(run, minutes)
    await world.timeline.stop()
    const seen = new Map(world.services.map(({ id }) => [id, world.timeline.of(id)]))
    const { occurrences } = run
    const touched = new Set(occurrences.map(({ serviceId }) => serviceId))
    return {
      services: world.services.length,
      families: new Set(world.services.map(({ family }) => family)).size,
      real: world.real,
      untouched: world.services.length - touched.size,
      startedAt,
      stalls: world.timeline.stalls,
      leftOut: leftOutOf(world),
      tookSec: (performance.now() - startedAt) / 1000,
      occurrences,
      installation: rows,
      missed: missedFaults(occurrences),
      wrong: wrongDecisions(seen, occurrences, [...outages, ...world.timeline.stalls], startedAt),
    }
  } finally {
    await world.stop()
  }
}

const isPossible = ({ services }: World, fault: OrdinaryFault): boolean =>
  services.some((service) => !service.isBystander && fault.suits(service))

const leftOutOf = (world: World): string[] => [
  ...ordinaryFaults.filter((fault) => !isPossible(world, fault)).map(({ name }) => name),
  ...(world.clock === null ? ['a clock that is wrong'] : []),
]

interface Run {
  readonly world: World
  readonly occurrences: Occurrence[]
  /** Lets a fault happen to the next service that it suits. Resolves when it was decided, and waits for what follows. */
  occur(fault: OrdinaryFault): { decided: Promise<void>; over: Promise<void> }
  /** Ends the faults that change nothing. */
  enough(): void
  readonly report: (line: string) => void
}

function createRun(world: World, isLong: boolean, report: (line: string) => void): Run {
  const occurrences: Occurrence[] = []
  const busy = new Set<string>()
  const lastUse = new Map<string, number>()
  const enough = Promise.withResolvers<void>()

  function choose(fault: OrdinaryFault): WatchedService {
    const free = world.services.filter(
      (service) => !service.isBystander && !busy.has(service.id) && fault.suits(service),
    )
    const [chosen] = free.toSorted((one, other) => (lastUse.get(one.id) ?? 0) - (lastUse.get(other.id) ?? 0))
    if (chosen === undefined) throw new Error(`no service is left for: ${fault.name}`)
    return chosen
  }

  async function decide(fault: OrdinaryFault, { id }: WatchedService): Promise<number | null> {
    if (fault.expected === 'UP') {
      await (isLong ? Bun.sleep(fault.withinSec * 1000) : enough.promise)
      return null
    }
    const isDecided = () => world.timeline.current(id) === fault.expected
    const beganAt = performance.now()
    const stalled = () => world.timeline.stalls.some(({ endedAt }) => endedAt > beganAt)
    const decidedWithin = (ms: number): Promise<number | null> =>
      waitUntil(fault.name, isDecided, ms).then(
        () => world.timeline.of(id).at(-1)?.at ?? null,
        () => null,
      )
    const decidedAt = await decidedWithin((fault.withinSec + slackSec) * 1000)
    return decidedAt === null && stalled() ? decidedWithin(afterOutageMs) : decidedAt
  }

  function occur(fault: OrdinaryFault): { decided: Promise<void>; over: Promise<void> } {
    const service = choose(fault)
    const decided = Promise.withResolvers<void>()
    busy.add(service.id)
    const happen = async (): Promise<void> => {
      const beganAt = performance.now()
      lastUse.set(service.id, beganAt)
      await fault.begin(service, world.endpoints)
      const decidedAt = await decide(fault, service)
      const index = occurrences.push({
        fault: fault.name,
        serviceId: service.id,
        family: service.family,
        expected: fault.expected,
        beganAt,
        decidedAt,
        endedAt: performance.now(),
        recoveredAt: null,
      })
      decided.resolve()
      if (isLong && fault.expected !== 'UP') await Bun.sleep(afterwardsMs)
      const endedAt = performance.now()
      await fault.end(service, world.endpoints)
      const isUp = () => world.timeline.current(service.id) === 'UP'
      await waitUntil('it is UP again', isUp, recoveryMs)
      const recoveredAt = performance.now()
      const occurrence = occurrences[index - 1]
      if (occurrence) occurrences[index - 1] = { ...occurrence, endedAt, recoveredAt }
      busy.delete(service.id)
      report(`${fault.name}, ${service.id}: ${fault.expected}`)
    }
    return { decided: decided.promise, over: happen() }
  }

  return { world, occurrences, occur, enough: () => enough.resolve(), report }
}

interface InstallationResult {
  readonly outages: readonly Outage[]
  readonly rows: readonly InstallationRow[]
}

/** Each fault once, side by side on different services; those of the installation meanwhile and afterwards. */
async function runShort(run: Run): Promise<InstallationResult> {
  const { silent, skewed, restarted, cutOff } = installationFaults
  const outages: Outage[] = []
  const faults = ordinaryFaults.filter((fault) => isPossible(run.world, fault))
  const happening = faults.map(async (fault, index) => {
    await Bun.sleep(index * shortGapMs)
    const { decided, over } = run.occur(fault)
    over.catch(() => {}) // what has not recovered when the world ends is not waited for
    await (fault.expected === 'UP' ? null : decided)
  })
  const meanwhile = (async () => [await silent(run.world, outages), await skewed(run.world, outages)])()
  await Promise.all(happening)
  const rows = await meanwhile
  rows.push(await restarted(run.world, outages), await cutOff(run.world, outages))
  run.enough()
  return { outages, rows }
}

/** One fault each minute; every eleventh is one of the installation. */
async function runLong(run: Run, minutes: number): Promise<InstallationResult> {
  const outages: Outage[] = []
  const rows: InstallationRow[] = []
  const faults = ordinaryFaults.filter((fault) => isPossible(run.world, fault))
  const ofInstallation: InstallationFault[] = Object.values(installationFaults)
  const happening: Promise<unknown>[] = []
  const startedAt = performance.now()
  let ordinary = 0
  for (let minute = 0; minute < minutes; minute++) {
    const special =
      minute % 11 === 10 ? ofInstallation[Math.floor(minute / 11) % ofInstallation.length] : undefined
    const fault = faults[ordinary % faults.length]
    if (special) {
      happening.push(special(run.world, outages).then((row) => rows.push(row)))
    } else if (fault) {
      ordinary++
      happening.push(run.occur(fault).over)
    }
    await Bun.sleep(Math.max(0, startedAt + (minute + 1) * minuteMs - performance.now()))
  }
  await Promise.all(happening)
  return { outages, rows }
}
