/** The newest probe of one service, as far as isolation depends on it. */
export interface ProbeSummary {
  chain: string | null
  provider: string
  /** True when not one byte of an answer arrived: `transportErrors` of the protocol. */
  failedByTransport: boolean
}

export interface IsolationEvidence {
  /** Whether the verifier's own server answers; always true where both are one process. */
  serverAnswers: boolean
  /** Whether each of the configured canary hosts answers. */
  canaries: readonly boolean[]
  probes: readonly ProbeSummary[]
}

const failedShare = 0.8
const minChains = 3
const minProviders = 5

/** Whether the verifier itself is cut off, so that its failures say nothing about the services. */
export const isIsolated = (evidence: IsolationEvidence): boolean =>
  canariesAreSilent(evidence) || failsEverywhere(evidence.probes)

/** More than half, because a server on the same network answers also while the rest of the world is gone. */
function canariesAreSilent({ serverAnswers, canaries, probes }: IsolationEvidence): boolean {
  const answers = [serverAnswers, ...canaries]
  const silent = answers.filter((answer) => !answer).length
  if (silent * 2 <= answers.length) return false
  // A server that is down looks like a cut-off verifier. Where it is the only canary, any service that answers is one.
  return canaries.length > 0 || probes.every(({ failedByTransport }) => failedByTransport)
}

/** Unrelated chains and providers do not all fail at once, so the verifier's own network has. */
function failsEverywhere(probes: readonly ProbeSummary[]): boolean {
  const failed = probes.filter(({ failedByTransport }) => failedByTransport)
  const chains = new Set(failed.flatMap(({ chain }) => (chain === null ? [] : [chain])))
  const providers = new Set(failed.map(({ provider }) => provider))
  const isWidespread = chains.size >= minChains && providers.size >= minProviders
  return isWidespread && failed.length >= failedShare * probes.length
}
