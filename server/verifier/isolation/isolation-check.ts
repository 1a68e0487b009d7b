import type { Assignments } from '../../../shared/verifier-protocol.ts'
import { transportErrors } from '../../../shared/verifier-protocol.ts'
import type { Clock } from '../../platform/clock.ts'
import { isIsolated } from './isolation.ts'
import type { ProbeSummary } from './isolation.ts'
import type { Observation } from '../probing/observation.ts'
import type { CanaryCheck } from './canary.ts'
import type { FinishedRound } from '../probing/round.ts'
import type { ServerClient } from '../server-client/server-client.ts'

/** Collects the evidence for `isIsolated`: the newest probes, and answers of canary hosts when probes fail. */
export interface IsolationCheck {
  assign(assignments: Assignments): void
  /** Resolves to whether the verifier was cut off from the network while it probed these newest rounds. */
  check(rounds: readonly FinishedRound[]): Promise<boolean>
}

/** Canaries are other people's machines: while the same services stay down they are asked at most this often (ms). */
const canaryAgeMs = 5_000

interface CanaryAnswers {
  askedAt: number
  serverAnswers: boolean
  canaries: boolean[]
}

const failedByTransport = ({ ok, error }: Observation): boolean =>
  ok === 0 && error !== null && transportErrors.has(error)

export function createIsolationCheck(
  serverClient: ServerClient,
  checkCanary: CanaryCheck,
  clock: Clock,
): IsolationCheck {
  let hosts: readonly string[] = []
  const newest = new Map<string, ProbeSummary>()
  let answers: CanaryAnswers | null = null

  /** Stores the newest probe of each service and returns whether one failed that had not failed before. */
  function remember(rounds: readonly FinishedRound[]): boolean {
    let sawNewFailure = false
    for (const { chainKey, observations } of rounds) {
      for (const seen of observations) {
        if (seen.error === 'PAUSED') continue // it was not probed
        const failed = failedByTransport(seen)
        if (failed && !newest.get(seen.serviceId)?.failedByTransport) sawNewFailure = true
        newest.set(seen.serviceId, {
          chain: chainKey,
          provider: seen.provider,
          failedByTransport: failed,
        })
      }
    }
    return sawNewFailure
  }

  async function askCanaries(): Promise<CanaryAnswers> {
    const askedAt = clock.monotonic()
    const [serverAnswers, ...canaries] = await Promise.all([serverClient.ping(), ...hosts.map(checkCanary)])
    return { askedAt, serverAnswers, canaries }
  }

  return {
    assign(assignments) {
      hosts = assignments.canaries
      answers = null
      const assigned = new Set(assignments.targets.map(({ serviceId }) => serviceId))
      for (const serviceId of newest.keys()) if (!assigned.has(serviceId)) newest.delete(serviceId)
    },
    async check(rounds) {
      const sawNewFailure = remember(rounds)
      if (!rounds.some(({ observations }) => observations.some(failedByTransport))) return false
      if (!answers || sawNewFailure || clock.monotonic() - answers.askedAt > canaryAgeMs) {
        answers = await askCanaries()
      }
      return isIsolated({ ...answers, probes: [...newest.values()] })
    },
  }
}
