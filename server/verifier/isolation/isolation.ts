import { isLoopbackHost } from '../../../shared/loopback-names.ts'
import { isInternetHost } from './internet-host.ts'

/** The newest probe of one service, as far as isolation depends on it. */
export interface ProbeSummary {
  chain: string | null
  provider: string
  /** The host of its address. */
  host: string
  /** True when not one byte of an answer arrived: `transportErrors` of the protocol. */
  failedByTransport: boolean
  /** When the probe began, in monotonic ms. */
  probedAt: number
  /** When it began to fail so after an answer, in monotonic ms; null while it answers, and if it never has. */
  lostAt: number | null
  /** When the first of the probes began that have all failed so since, in monotonic ms; null while it answers. */
  failingSince: number | null
}

/** A service that was answering and is probed again, because others have stopped and nothing has answered since. */
export interface Witness {
  /** The host of its address. */
  host: string
  /** Null: its probe has not ended yet. */
  answers: boolean | null
}

export interface IsolationEvidence {
  /** Whether the verifier's own server answers; null where both are one process, so that its answer says nothing. */
  serverAnswers: boolean | null
  /** Whether each of the configured canary hosts answers. */
  canaries: readonly boolean[]
  /** Whether the default gateway answers; null if it never has, or if canaries are configured. */
  gatewayAnswers: boolean | null
  /** Whether any of the default canaries on the Internet answers; null while fewer than two of them ever have. */
  internetAnswers: boolean | null
  /** Two rounds of the verifier, in ms. */
  twoRoundsMs: number
  probes: readonly ProbeSummary[]
  /** Whether a service has stopped answering and nothing has answered since. */
  isSilent: boolean
  /** Of different hosts and providers, and none of those that stopped answering. Empty once anything has answered since. */
  witnesses: readonly Witness[]
}

const failedShare = 0.8
const minChains = 3
const minProviders = 5
const minLostServices = 5
const minLostHosts = 3
const minWitnesses = 3

/** Why the verifier itself is cut off, so that its failures say nothing about the services, in words for the log; or null. */
export function isolationCause(evidence: IsolationEvidence): string | null {
  if (canariesAreSilent(evidence)) return 'most canaries are silent'
  if (gatewayIsGone(evidence))
    return 'the default gateway does not answer any more, nor does any service beyond it'
  if (internetIsGone(evidence))
    return 'no canary on the Internet answers any more, nor does any service there'
  if (witnessesAreSilent(evidence)) return 'services that answered a moment ago are silent together'
  if (failsEverywhere(evidence))
    return 'services of unrelated chains and providers fail, and nothing shows that the network is there'
  return hasLostNearlyAll(evidence) ? 'nearly all services stopped answering together' : null
}

/** Services of this machine are reached without a gateway, so that they prove nothing. */
const isLocal = ({ host }: Pick<ProbeSummary, 'host'>): boolean => isLoopbackHost(host)

/** Anything beyond it that answers shows that the network is there, whatever the gateway does. */
function gatewayIsGone({ gatewayAnswers, internetAnswers, probes, isSilent }: IsolationEvidence): boolean {
  if (gatewayAnswers !== false || internetAnswers === true) return false
  const remote = probes.filter((probe) => !isLocal(probe))
  const failed = remote.filter(({ failedByTransport }) => failedByTransport)
  return failed.length > 0 && (isSilent || failed.length === remote.length)
}

/**
 * The gateway may stand while nothing behind it answers. Services of the own network prove nothing about that, and keep
 * their votes where they are most of what is watched.
 */
function internetIsGone({ internetAnswers, probes }: IsolationEvidence): boolean {
  if (internetAnswers !== false) return false
  const remote = probes.filter((probe) => !isLocal(probe))
  const far = remote.filter(({ host }) => isInternetHost(host))
  if (far.length * 2 < remote.length) return false
  const failed = far.filter(({ failedByTransport }) => failedByTransport)
  const answering = far.filter(({ failedByTransport }) => !failedByTransport)
  const lastAnswerAt = answering.reduce((newest, { probedAt }) => Math.max(newest, probedAt), 0)
  const isNewlyLost = failed.some(({ lostAt }) => lostAt !== null && lostAt > lastAnswerAt)
  return isNewlyLost || (failed.length > 0 && answering.length === 0)
}

/**
 * The turns of the services are spread over an interval, but the first to be probed without a network would be proven
 * down three seconds later: nobody may wait until nearly all have had their turn.
 */
const witnessesAreSilent = ({ witnesses }: IsolationEvidence): boolean =>
  witnesses.length >= minWitnesses && witnesses.every(({ answers }) => answers === false)

/** Services of different hosts do not stop answering together, even if they are of one chain. */
function hasLostNearlyAll({ probes, twoRoundsMs }: IsolationEvidence): boolean {
  const latest = probes.reduce((newest, { lostAt }) => Math.max(newest, lostAt ?? 0), 0)
  const lost = probes.filter(({ lostAt }) => lostAt !== null && lostAt >= latest - twoRoundsMs)
  const answering = probes.filter(({ failedByTransport }) => !failedByTransport)
  const hosts = new Set(lost.map(({ host }) => host))
  if (lost.length < minLostServices || hosts.size < minLostHosts) return false
  return lost.length >= failedShare * (lost.length + answering.length)
}

/** More than half, because a server on the same network answers also while the rest of the world is gone. */
function canariesAreSilent({ serverAnswers, canaries, probes }: IsolationEvidence): boolean {
  const answers = serverAnswers === null ? canaries : [serverAnswers, ...canaries]
  const silent = answers.filter((answer) => !answer).length
  if (silent * 2 <= answers.length) return false
  // A server that is down looks like a cut-off verifier. Where it is the only canary, any service that answers is one.
  return canaries.length > 0 || probes.every(({ failedByTransport }) => failedByTransport)
}

/** Unrelated chains and providers do not all fail at once, so the verifier's own network has. */
function failsEverywhere(evidence: IsolationEvidence): boolean {
  const probes = evidence.probes.filter(createIsTelling(evidence))
  const failed = probes.filter(({ failedByTransport }) => failedByTransport)
  const chains = new Set(failed.flatMap(({ chain }) => (chain === null ? [] : [chain])))
  const providers = new Set(failed.map(({ provider }) => provider))
  const isWidespread = chains.size >= minChains && providers.size >= minProviders
  return isWidespread && failed.length >= failedShare * probes.length
}

const isAnswering = (probe: ProbeSummary): boolean => !probe.failedByTransport && !isLocal(probe)

/**
 * What has never answered may be gone, misspelt or behind a firewall: it says nothing about a network that was there while
 * it failed, as something else shows. A service in the own network, or the gateway, does not show that the Internet is.
 * Where nothing shows anything, the verifier may have started while it was cut off, and everything tells.
 */
function createIsTelling({ canaries, gatewayAnswers, internetAnswers, probes }: IsolationEvidence) {
  const lastAnswer = (isMeant: (probe: ProbeSummary) => boolean): number =>
    probes.reduce((newest, probe) => (isMeant(probe) ? Math.max(newest, probe.probedAt) : newest), 0)
  const hasCanaries = canaries.length > 0 && !canaries.includes(false)
  const internetAt =
    internetAnswers === true || hasCanaries
      ? Number.POSITIVE_INFINITY
      : lastAnswer((probe) => isAnswering(probe) && isInternetHost(probe.host))
  const networkAt =
    gatewayAnswers === true ? Number.POSITIVE_INFINITY : Math.max(internetAt, lastAnswer(isAnswering))
  return ({ host, lostAt, failingSince }: ProbeSummary): boolean =>
    failingSince === null || lostAt !== null || failingSince > (isInternetHost(host) ? internetAt : networkAt)
}
