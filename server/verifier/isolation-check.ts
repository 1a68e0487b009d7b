import type { Assignments } from '../../shared/verifier-protocol.ts'
import { transportErrors } from '../../shared/verifier-protocol.ts'
import type { Clock } from '../platform/clock.ts'
import { isIsolated } from './isolation.ts'
import type { ProbeSummary } from './isolation.ts'
import type { Observation } from './observation.ts'
import type { Reach } from './reach.ts'
import type { FinishedRound } from './round.ts'
import type { ServerLink } from './server-link.ts'

/** Gathers the evidence for `isIsolated`. */
export interface IsolationCheck {
  follow(assignments: Assignments): void
  /** Whether these rounds, the newest ones, were probed from a verifier that is cut off. */
  judge(rounds: readonly FinishedRound[]): Promise<boolean>
}

/** Canaries are strangers' machines: while the same services stay down they are asked no more often than this. */
const canaryAgeMs = 5_000

interface CanaryAnswers {
  askedAt: number
  serverAnswers: boolean
  canaries: boolean[]
}

const failedByTransport = ({ ok, error }: Observation): boolean =>
  ok === 0 && error !== null && transportErrors.has(error)

export function createIsolationCheck(link: ServerLink, reach: Reach, clock: Clock): IsolationCheck {
  let hosts: readonly string[] = []
  const newest = new Map<string, ProbeSummary>()
  let answers: CanaryAnswers | null = null

  /** Takes the rounds in; tells whether a service failed that had not failed before. */
  function remember(rounds: readonly FinishedRound[]): boolean {
    let sawNewFailure = false
    for (const { chainKey, observations } of rounds) {
      for (const seen of observations) {
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
    const [serverAnswers, ...canaries] = await Promise.all([link.ping(), ...hosts.map(reach)])
    return { askedAt, serverAnswers, canaries }
  }

  return {
    follow(assignments) {
      hosts = assignments.canaries
      answers = null
      const assigned = new Set(assignments.targets.map(({ serviceId }) => serviceId))
      for (const serviceId of newest.keys()) if (!assigned.has(serviceId)) newest.delete(serviceId)
    },
    async judge(rounds) {
      const sawNewFailure = remember(rounds)
      if (!rounds.some(({ observations }) => observations.some(failedByTransport))) return false
      if (!answers || sawNewFailure || clock.monotonic() - answers.askedAt > canaryAgeMs) {
        answers = await askCanaries()
      }
      return isIsolated({ ...answers, probes: [...newest.values()] })
    },
  }
}
