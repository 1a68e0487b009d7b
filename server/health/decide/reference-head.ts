import type { ChainParams } from './chain-params.ts'
import { ascending, elementAt, lowerMedian } from './median.ts'
import type { Head } from './plausible-head.ts'
import { eligibleHeight, isFromFuture } from './plausible-head.ts'

/**
 * A head that one verifier saw at one service; `at` in epoch ms of the server. The provider is that of the
 * service.
 */
export interface HeadObservation extends Head {
  readonly serviceId: string
  readonly provider: string
  readonly verifierId: string
  readonly at: number
}

/** The head against which the services of a chain are measured. */
export interface ReferenceHead extends Head {
  /** Height and timestamp that at least half of the providers have reached. */
  readonly base: Head
  readonly providers: number
  /** False with one or two providers: nobody can tell who is right, only the age of heads speaks. */
  readonly isCorroborated: boolean
}

const minProviders = 3

/**
 * Reference head of one chain over the observations in (now − windowMs, now]: one verifier's round, or the
 * rounds of all. Null where no observation is usable. It keeps no state and no maximum: a poisoned
 * observation leaves with its window.
 */
export function referenceHead(
  observations: readonly HeadObservation[],
  now: number,
  windowMs: number,
  params: ChainParams,
): ReferenceHead | null {
  const newest = newestUsable(observations, now, windowMs, params)
  const heads = highestPerProvider(newest).sort(byHeight)
  const lowest = heads[0]
  if (lowest === undefined) return null
  if (heads.length < minProviders) return describe(lowest, lowest, heads.length)

  const base = medianCoordinates(heads)
  const eligible = heads.filter(
    (head) => head.height <= eligibleHeight(base, head.timestamp, head.at, params),
  )
  const rank = Math.max(1, params.corroborate)
  return describe(elementAt(eligible, Math.max(0, eligible.length - rank)), base, heads.length)
}

/** The newest of each verifier, by service. */
type NewestByService = Map<string, HeadObservation[]>

function newestUsable(
  observations: readonly HeadObservation[],
  now: number,
  windowMs: number,
  params: ChainParams,
): NewestByService {
  const byService: NewestByService = new Map()
  for (const observation of observations) {
    const isInWindow = observation.at <= now && observation.at > now - windowMs
    if (!isInWindow || !isUsable(observation, params)) continue

    const seen = byService.get(observation.serviceId)
    if (seen === undefined) byService.set(observation.serviceId, [observation])
    else keepNewest(seen, observation)
  }
  return byService
}

/** `seen` holds as many heads as there are verifiers, which is too few to be worth an index. */
function keepNewest(seen: HeadObservation[], observation: HeadObservation): void {
  const place = seen.findIndex((other) => other.verifierId === observation.verifierId)
  const known = seen[place]
  if (known === undefined) seen.push(observation)
  else if (supersedes(observation, known)) seen[place] = observation
}

function isUsable(observation: HeadObservation, params: ChainParams): boolean {
  return (
    Number.isSafeInteger(observation.height) &&
    observation.height >= 0 &&
    Number.isSafeInteger(observation.timestamp) &&
    !isFromFuture(observation, observation.at, params)
  )
}

/** The newer counts; of two at one instant the lower, so that the order of arrival decides nothing. */
function supersedes(candidate: HeadObservation, known: HeadObservation): boolean {
  return candidate.at === known.at ? byHeight(candidate, known) < 0 : candidate.at > known.at
}

function byHeight(a: HeadObservation, b: HeadObservation): number {
  return a.height - b.height || a.timestamp - b.timestamp || a.at - b.at
}

/** A verifier counts once for each service, a provider once however many services it lists. */
function highestPerProvider(newest: NewestByService): HeadObservation[] {
  const byProvider = new Map<string, HeadObservation>()
  for (const seen of newest.values()) {
    const head = lowerMedian(seen.sort(byHeight))
    const known = byProvider.get(head.provider)
    if (known === undefined || byHeight(head, known) > 0) byProvider.set(head.provider, head)
  }
  return [...byProvider.values()]
}

/**
 * Median of the heights and median of the timestamps, each for itself. Were both taken from one provider, a liar that
 * poses as the median height with an old timestamp would widen the eligible range for its accomplices.
 */
function medianCoordinates(heads: readonly HeadObservation[]): Head {
  return {
    height: lowerMedian(heads).height,
    timestamp: lowerMedian(heads.map((head) => head.timestamp).sort(ascending)),
  }
}

function describe(head: Head, base: Head, providers: number): ReferenceHead {
  return {
    height: head.height,
    timestamp: head.timestamp,
    base: { height: base.height, timestamp: base.timestamp },
    providers,
    isCorroborated: providers >= minProviders,
  }
}
