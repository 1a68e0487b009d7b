import type { Assignments } from '../../../shared/verifier-protocol.ts'
import { transportErrors } from '../../../shared/verifier-protocol.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { isolationCause } from './isolation.ts'
import type { ProbeSummary } from './isolation.ts'
import type { Observation } from '../probing/observation.ts'
import type { CanaryCheck } from './canary.ts'
import { createDefaultCanaries, hostNameOf } from './default-canaries.ts'
import type { DefaultCanaryAnswers, DefaultCanaryChecks } from './default-canaries.ts'
import type { FinishedRound } from '../probing/round.ts'
import type { ServerClient } from '../server-client/server-client.ts'
import { createWitnesses } from './witnesses.ts'
import type { WitnessCandidate } from './witnesses.ts'

/** Collects the evidence for `isolationCause`: the newest probes, and answers of canary hosts when probes fail. */
export interface IsolationCheck {
  assign(assignments: Assignments): void
  /** Resolves to whether the verifier was cut off from the network while it probed these newest rounds. */
  check(rounds: readonly FinishedRound[]): Promise<boolean>
  /** Whether the last check waits for witnesses, so that failures are not to be reported before the next one. */
  isUnclear(): boolean
}

/**
 * Canaries are other people's machines: the longer the same services are down, the less often they are asked. A failure
 * is not judged by answers from before it, because the network may be lost right after a probe that failed for another
 * reason.
 */
const oldestAnswersMs = 5_000
const shareOfOutage = 0.25
/** A probe waits for up to four seconds, and may have to wait for its turn. */
const longestUnclearMs = 5_000

/** How often (ms) default canaries are asked that have not answered yet: twice as long is waited each time. */
const firstRefreshMs = 5_000
const longestRefreshMs = 600_000

interface CanaryAnswers extends DefaultCanaryAnswers {
  askedAt: number
  serverAnswers: boolean | null
  canaries: boolean[]
}

type RecentProbe = ProbeSummary & WitnessCandidate

const failedByTransport = ({ ok, error }: Observation): boolean =>
  ok === 0 && error !== null && transportErrors.has(error)

export interface IsolationCheckOptions {
  serverClient: ServerClient
  checkCanary: CanaryCheck
  defaultCanaryChecks: DefaultCanaryChecks
  clock: Clock
  /** Has a service probed before its turn, to see whether it still answers. */
  probeEarly: (serviceId: string) => void
  log: Pick<Log, 'info' | 'warn'>
}

export function createIsolationCheck(options: IsolationCheckOptions): IsolationCheck {
  const { serverClient, checkCanary, defaultCanaryChecks, clock, probeEarly, log } = options
  const defaultCanaries = createDefaultCanaries(defaultCanaryChecks)
  let canaryHosts: readonly string[] = []
  let hostOf = new Map<string, string>()
  let longestIntervalMs = 0
  const newest = new Map<string, RecentProbe>()
  const witnesses = createWitnesses()
  let answers: CanaryAnswers | null = null
  let witnessesAskedAt = 0
  let foundIsolated = false
  let toldCause: string | null = null
  let newestFailureAt = 0
  let refreshedAt = clock.monotonic()
  let refreshMs = firstRefreshMs

  /** Stores the newest probe of each service and returns whether one failed that had not failed before. */
  function remember(rounds: readonly FinishedRound[]): boolean {
    let sawNewFailure = false
    for (const { chainKey, startedAt, observations } of rounds) {
      for (const seen of observations) {
        if (seen.error === 'PAUSED') continue // it was not probed
        const failed = failedByTransport(seen)
        const last = newest.get(seen.serviceId)
        if (failed && !last?.failedByTransport) sawNewFailure = true
        const probedAt = startedAt + seen.offsetMs
        const probe: RecentProbe = {
          serviceId: seen.serviceId,
          chain: chainKey,
          provider: seen.provider,
          host: hostOf.get(seen.serviceId) ?? '',
          failedByTransport: failed,
          probedAt,
          lostAt: failed ? lostAtOf(last) : null,
          failingSince: failed ? (last?.failingSince ?? probedAt) : null,
        }
        newest.set(seen.serviceId, probe)
        witnesses.record(probe, failed && last?.failedByTransport === false)
      }
    }
    return sawNewFailure
  }

  const lostAtOf = (last: ProbeSummary | undefined): number | null =>
    last?.failedByTransport === false ? clock.monotonic() : (last?.lostAt ?? null)

  function isOld({ askedAt }: CanaryAnswers): boolean {
    const now = clock.monotonic()
    return now - askedAt > Math.min(oldestAnswersMs, (now - newestFailureAt) * shareOfOutage)
  }

  async function askCanaries(): Promise<CanaryAnswers> {
    const askedAt = clock.monotonic()
    const [defaults, serverAnswers, ...canaries] = await Promise.all([
      defaultCanaries.ask(),
      serverClient.ping(),
      ...canaryHosts.map(checkCanary),
    ])
    return { askedAt, serverAnswers, canaries, ...defaults }
  }

  /** Tells the operator what nothing else says: of a verifier that is cut off, the server knows only that it is. */
  function tell(cause: string | null): void {
    if (cause === toldCause) return
    toldCause = cause
    if (cause === null) log.info('the verifier is not cut off any more: what it sees counts again')
    else log.warn('the verifier takes itself for cut off: what it sees does not count', { cause })
  }

  function askWitnesses(): void {
    const chosen = witnesses.choose([...newest.values()])
    if (chosen.length > 0) witnessesAskedAt = clock.monotonic()
    for (const serviceId of chosen) probeEarly(serviceId)
  }

  async function findCause(rounds: readonly FinishedRound[], sawNewFailure: boolean): Promise<string | null> {
    foundIsolated = false
    if (!rounds.some(({ observations }) => observations.some(failedByTransport))) return null
    if (answers === null || sawNewFailure || isOld(answers)) answers = await askCanaries()
    askWitnesses()
    return isolationCause({
      ...answers,
      twoRoundsMs: 2 * longestIntervalMs,
      probes: [...newest.values()],
      isSilent: witnesses.isSilent(),
      witnesses: witnesses.current(),
    })
  }

  return {
    isUnclear: () =>
      !foundIsolated &&
      clock.monotonic() - witnessesAskedAt < longestUnclearMs &&
      witnesses.current().some(({ answers: answer }) => answer === null),
    assign(assignments) {
      canaryHosts = assignments.canaries
      hostOf = new Map(
        assignments.targets.map(({ serviceId, endpoint }) => [serviceId, hostNameOf(endpoint)]),
      )
      longestIntervalMs = Math.max(0, ...assignments.targets.map(({ policy }) => policy.intervalMs))
      answers = null
      defaultCanaries.assign(assignments)
      const assigned = new Set(assignments.targets.map(({ serviceId }) => serviceId))
      for (const serviceId of newest.keys()) if (!assigned.has(serviceId)) newest.delete(serviceId)
    },
    async check(rounds) {
      if (clock.monotonic() - refreshedAt >= refreshMs) {
        refreshedAt = clock.monotonic()
        refreshMs = Math.min(refreshMs * 2, longestRefreshMs)
        defaultCanaries.refresh()
      }
      const sawNewFailure = remember(rounds)
      if (sawNewFailure) newestFailureAt = clock.monotonic()
      const cause = await findCause(rounds, sawNewFailure)
      foundIsolated = cause !== null
      tell(cause)
      return foundIsolated
    },
  }
}
