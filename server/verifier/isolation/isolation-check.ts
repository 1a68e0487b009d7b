import type { Assignments } from '../../../shared/verifier-protocol.ts'
import { transportErrors } from '../../../shared/verifier-protocol.ts'
import type { Clock } from '../../platform/clock.ts'
import { isIsolated } from './isolation.ts'
import type { ProbeSummary } from './isolation.ts'
import type { Observation } from '../probing/observation.ts'
import type { CanaryCheck } from './canary.ts'
import type { FinishedRound } from '../probing/round.ts'
import type { ServerClient } from '../server-client/server-client.ts'
import { createWitnesses } from './witnesses.ts'
import type { WitnessCandidate } from './witnesses.ts'

/** Collects the evidence for `isIsolated`: the newest probes, and answers of canary hosts when probes fail. */
export interface IsolationCheck {
  assign(assignments: Assignments): void
  /** Resolves to whether the verifier was cut off from the network while it probed these newest rounds. */
  check(rounds: readonly FinishedRound[]): Promise<boolean>
  /** Whether the last check waits for witnesses, so that failures are not to be reported before the next one. */
  isUnclear(): boolean
}

/** Canaries are other people's machines: while the same services stay down they are asked at most this often (ms). */
const canaryAgeMs = 5_000
/** A probe waits for up to four seconds, and may have to wait for its turn. */
const longestUnclearMs = 5_000

interface CanaryAnswers {
  askedAt: number
  serverAnswers: boolean
  canaries: boolean[]
  gatewayAnswers: boolean | null
}

type RecentProbe = ProbeSummary & WitnessCandidate

const failedByTransport = ({ ok, error }: Observation): boolean =>
  ok === 0 && error !== null && transportErrors.has(error)

export interface IsolationCheckOptions {
  serverClient: ServerClient
  checkCanary: CanaryCheck
  checkGateway: () => Promise<boolean>
  clock: Clock
  /** Has a service probed before its turn, to see whether it still answers. */
  probeEarly: (serviceId: string) => void
}

export function createIsolationCheck(options: IsolationCheckOptions): IsolationCheck {
  const { serverClient, checkCanary, checkGateway, clock, probeEarly } = options
  let canaryHosts: readonly string[] = []
  let hostOf = new Map<string, string>()
  let longestIntervalMs = 0
  /** The gateway is a canary once it has answered: many networks have one that never does. */
  let gatewayHasAnswered = false
  const newest = new Map<string, RecentProbe>()
  const witnesses = createWitnesses()
  let answers: CanaryAnswers | null = null
  let witnessesAskedAt = 0
  let foundIsolated = false

  /** Stores the newest probe of each service and returns whether one failed that had not failed before. */
  function remember(rounds: readonly FinishedRound[]): boolean {
    let sawNewFailure = false
    for (const { chainKey, startedAt, observations } of rounds) {
      for (const seen of observations) {
        if (seen.error === 'PAUSED') continue // it was not probed
        const failed = failedByTransport(seen)
        const last = newest.get(seen.serviceId)
        if (failed && !last?.failedByTransport) sawNewFailure = true
        const probe: RecentProbe = {
          serviceId: seen.serviceId,
          chain: chainKey,
          provider: seen.provider,
          host: hostOf.get(seen.serviceId) ?? '',
          failedByTransport: failed,
          probedAt: startedAt + seen.offsetMs,
          lostAt: failed ? lostAtOf(last) : null,
        }
        newest.set(seen.serviceId, probe)
        witnesses.record(probe, failed && last?.failedByTransport === false)
      }
    }
    return sawNewFailure
  }

  const lostAtOf = (last: ProbeSummary | undefined): number | null =>
    last?.failedByTransport === false ? clock.monotonic() : (last?.lostAt ?? null)

  async function askGateway(): Promise<boolean | null> {
    if (canaryHosts.length > 0) return null
    const isThere = await checkGateway()
    gatewayHasAnswered ||= isThere
    return gatewayHasAnswered ? isThere : null
  }

  async function askCanaries(): Promise<CanaryAnswers> {
    const askedAt = clock.monotonic()
    const [gatewayAnswers, serverAnswers, ...canaries] = await Promise.all([
      askGateway(),
      serverClient.ping(),
      ...canaryHosts.map(checkCanary),
    ])
    return { askedAt, serverAnswers, canaries, gatewayAnswers }
  }

  function askWitnesses(): void {
    const chosen = witnesses.choose([...newest.values()])
    if (chosen.length > 0) witnessesAskedAt = clock.monotonic()
    for (const serviceId of chosen) probeEarly(serviceId)
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
      // Before anything fails: a gateway that never answered is no canary.
      void askGateway()
      const assigned = new Set(assignments.targets.map(({ serviceId }) => serviceId))
      for (const serviceId of newest.keys()) if (!assigned.has(serviceId)) newest.delete(serviceId)
    },
    async check(rounds) {
      const sawNewFailure = remember(rounds)
      foundIsolated = false
      if (!rounds.some(({ observations }) => observations.some(failedByTransport))) return false
      if (!answers || sawNewFailure || clock.monotonic() - answers.askedAt > canaryAgeMs) {
        answers = await askCanaries()
      }
      askWitnesses()
      foundIsolated = isIsolated({
        ...answers,
        twoRoundsMs: 2 * longestIntervalMs,
        probes: [...newest.values()],
        isSilent: witnesses.isSilent(),
        witnesses: witnesses.current(),
      })
      return foundIsolated
    },
  }
}

/** Returns the host of an address; '' where it has none. */
const hostNameOf = (endpoint: string): string => (URL.canParse(endpoint) ? new URL(endpoint).hostname : '')
