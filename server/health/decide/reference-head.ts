import { ascending, elementAt, lowerMedian } from './median.ts'
import type { Chain } from '../../../shared/chains.ts'
import { assertNever } from '../../platform/fault.ts'

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
  /** False with one or two providers: which of them is right is unknown, so only the age of heads counts. */
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
  const inWindow = observations.filter(({ at }) => at <= now && at > now - windowMs)
  const byVerifier = Map.groupBy(inWindow, ({ verifierId }) => verifierId)
  const rounds = [...byVerifier.values()].map((heads) => usableHeads(heads, params))
  return referenceOfRounds(rounds, params)
}

/** Of one verifier's heads the newest usable one of each service, in the form that `referenceOfRounds` takes. */
export function usableHeads(heads: readonly HeadObservation[], params: ChainParams): HeadObservation[] {
  const byService = new Map<string, HeadObservation>()
  for (const head of heads) {
    if (!isUsable(head, params)) continue
    const known = byService.get(head.serviceId)
    if (known === undefined || supersedes(head, known)) byService.set(head.serviceId, head)
  }
  return [...byService.values()]
}

/** As `referenceHead`, for callers that store the usable heads of each verifier, which need not be selected again. */
export function referenceOfRounds(
  rounds: readonly (readonly HeadObservation[])[],
  params: ChainParams,
): ReferenceHead | null {
  const heads = highestPerProvider(medianPerService(rounds)).sort(byHeight)
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

/** Returns one head for each service: the median over the verifiers, each of which counts once. */
function medianPerService(rounds: readonly (readonly HeadObservation[])[]): readonly HeadObservation[] {
  const [only, ...others] = rounds
  if (only === undefined || others.length === 0) return only ?? []
  const byService = new Map<string, HeadObservation[]>()
  for (const round of rounds) {
    for (const head of round) {
      const seen = byService.get(head.serviceId)
      if (seen === undefined) byService.set(head.serviceId, [head])
      else seen.push(head)
    }
  }
  return Array.from(byService.values(), (seen) => lowerMedian(seen.sort(byHeight)))
}

function isUsable(observation: HeadObservation, params: ChainParams): boolean {
  return (
    Number.isSafeInteger(observation.height) &&
    observation.height >= 0 &&
    Number.isSafeInteger(observation.timestamp) &&
    !isFromFuture(observation, observation.at, params)
  )
}

/** Returns whether a head replaces a known one: the newer does, and of two at one instant the lower, whatever their order. */
function supersedes(candidate: HeadObservation, known: HeadObservation): boolean {
  return candidate.at === known.at ? byHeight(candidate, known) < 0 : candidate.at > known.at
}

export function byHeight(a: HeadObservation, b: HeadObservation): number {
  return a.height - b.height || a.timestamp - b.timestamp || a.at - b.at
}

/** Returns the highest head of each provider, which counts once, however many services it has. */
export function highestPerProvider(heads: readonly HeadObservation[]): HeadObservation[] {
  const byProvider = new Map<string, HeadObservation>()
  for (const head of heads) {
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

/** The parameters of a chain for comparing heads. */
export interface ChainParams {
  /** Mean time between heights (ms). */
  readonly blockMs: number
  /** How far (s) a block's timestamp may be ahead of the observation. */
  readonly futureTolSec: number
  /** How old (s) a head may be before its age alone counts as lag; null where blocks are made only on demand. */
  readonly headAgeGraceSec: number | null
  /** False where the chain makes blocks only when there are transactions; by default what `headAgeGraceSec` says. */
  readonly movesByItself?: boolean
  /** How many providers must have reached the reference head. */
  readonly corroborate: number
}

const slotGraceBlocks = 5
const slotGraceMinSec = 30
/** Gaps are exponential: P(no block for 14 means) = 8e-7, for Bitcoin one false alarm in about 23 years. */
const powGraceBlocks = 14
/** Sequencers without transactions pause for minutes. */
const idleGraceSec = 600

function headAgeGraceSec(chain: Chain): number | null {
  const blockSec = chain.blockMs / 1000
  switch (chain.headAge) {
    case 'slot':
      return Math.max(slotGraceMinSec, Math.ceil(slotGraceBlocks * blockSec))
    case 'pow':
      return Math.ceil(powGraceBlocks * blockSec)
    case 'idle':
      return idleGraceSec
    case 'none':
      return null
    default:
      return assertNever(chain.headAge)
  }
}

export function chainParams(chain: Chain): ChainParams {
  return {
    blockMs: chain.blockMs,
    futureTolSec: chain.futureTolSec,
    headAgeGraceSec: headAgeGraceSec(chain),
    corroborate: 2,
    ...(chain.headAge === 'idle' && { movesByItself: false }),
  }
}

/** A block of a chain: height, and its timestamp in Unix seconds. */
export interface Head {
  readonly height: number
  readonly timestamp: number
}

const eligibleSlackMs = 2_000
const eligibleSlackMinBlocks = 2
const credibleSlackMs = 600_000
const credibleSlackMinBlocks = 100

/** Returns whether a block's timestamp is later than its observation, by more than the chain tolerates. */
export function isFromFuture(head: Head, at: number, params: ChainParams): boolean {
  return head.timestamp * 1000 > at + params.futureTolSec * 1000
}

/** Returns how many blocks the chain can have made between the base and a head seen at `at`. */
function blocksSinceBase(base: Head, timestamp: number, at: number, params: ChainParams): number {
  const elapsedSec = Math.max(0, Math.min(timestamp, at / 1000) - base.timestamp)
  return Math.ceil((elapsedSec * 1000) / params.blockMs)
}

/** Returns the highest height that may become the reference: what the chain can have made since the base, and a little more. */
export function eligibleHeight(base: Head, timestamp: number, at: number, params: ChainParams): number {
  const slack = Math.max(eligibleSlackMinBlocks, Math.ceil(eligibleSlackMs / params.blockMs))
  return base.height + blocksSinceBase(base, timestamp, at, params) + slack
}

/** Returns the highest credible height: a head between the eligible height and this is ignored, and a higher one is a lie. */
export function credibleHeight(base: Head, timestamp: number, at: number, params: ChainParams): number {
  const slack = Math.max(credibleSlackMinBlocks, Math.ceil(credibleSlackMs / params.blockMs))
  return base.height + 2 * blocksSinceBase(base, timestamp, at, params) + slack
}
