import type { ProbeSummary, Witness } from './isolation.ts'

/** The newest probe of a service, by the place from which it answers. */
export interface WitnessCandidate extends Pick<
  ProbeSummary,
  'host' | 'provider' | 'failedByTransport' | 'probedAt'
> {
  readonly serviceId: string
}

/**
 * Tells a network that is gone from a service that is: when one stops answering and nothing has answered since, others
 * are probed before their turn. Nothing is asked of anybody where a probe in its turn has answered already.
 */
export interface Witnesses {
  /** Records a probe. `isLoss`: it failed by transport, and the one before it had not. */
  record(probe: WitnessCandidate, isLoss: boolean): void
  /** Chooses whom to probe now; nobody while nothing is lost, and nobody twice. */
  choose(newest: readonly WitnessCandidate[]): string[]
  /** Returns those that were chosen, until anything has answered. */
  current(): readonly Witness[]
  /** Whether a service has stopped answering and nothing has answered since. */
  isSilent(): boolean
}

const wanted = 4

export function createWitnesses(): Witnesses {
  const chosen = new Map<string, Witness>()
  /** When the first service was probed that did not answer any more; null once anything has answered since. */
  let lossAt: number | null = null
  let lastAnswerAt = Number.NEGATIVE_INFINITY

  return {
    record({ serviceId, failedByTransport, probedAt, host }, isLoss) {
      if (failedByTransport) {
        if (isLoss && probedAt > lastAnswerAt) lossAt ??= probedAt
        if (chosen.has(serviceId)) chosen.set(serviceId, { host, answers: false })
        return
      }
      lastAnswerAt = Math.max(lastAnswerAt, probedAt)
      if (lossAt === null || probedAt <= lossAt) return
      lossAt = null
      chosen.clear()
    },
    choose(newest) {
      if (lossAt === null || chosen.size > 0) return []
      const silent = newest.filter(({ failedByTransport }) => failedByTransport)
      const hosts = new Set(silent.map(({ host }) => host))
      const providers = new Set(silent.map(({ provider }) => provider))
      const answering = newest.filter(({ failedByTransport }) => !failedByTransport)
      for (const { serviceId, host, provider } of answering.toSorted(newerFirst)) {
        if (chosen.size === wanted) break
        if (hosts.has(host) || providers.has(provider)) continue
        hosts.add(host)
        providers.add(provider)
        chosen.set(serviceId, { host, answers: null })
      }
      return [...chosen.keys()]
    },
    current: () => [...chosen.values()],
    isSilent: () => lossAt !== null,
  }
}

const newerFirst = (one: WitnessCandidate, other: WitnessCandidate): number => other.probedAt - one.probedAt
