import type { Chain } from '../../../shared/chains.ts'
import type { Decision } from '../../../shared/health.ts'
import { reasonSentence } from '../../../shared/health-reasons.ts'
import type { ServiceState, ServiceSummary } from '../../../shared/health-services.ts'
import { decisionReason } from '../evaluation/evidence.ts'
import type { Evaluation } from '../evaluation/evaluation.ts'
import type { Catalogue, ListedService } from './catalogue.ts'
import type { Services } from './services.ts'

interface SummarySources {
  readonly catalogue: Catalogue
  readonly services: Pick<Services, 'find' | 'maintenance'>
  readonly evaluation: Pick<Evaluation, 'numbers' | 'state' | 'cause' | 'pendingChange'>
  readonly findChain: (key: string) => Chain | undefined
}

const maxSentences = 1_000

interface NamedService {
  readonly id: string
  readonly name: string
  /** Its key; null where the service belongs to none. */
  readonly chain: string | null
  readonly provider: string
  summary(): ServiceSummary
}

export type ServiceList = ReturnType<typeof createServiceList>

/** Lists services as signed-in people see them. Everything is read from memory. */
export function createServiceList({ catalogue, services, evaluation, findChain }: SummarySources) {
  function stateOf(listed: ListedService): ServiceState {
    const { id } = listed.service
    const { decision, evaluatedAt, ...numbers } = evaluation.numbers(id)
    const state = evaluation.state(listed)
    const isSettled = state !== null && state.published === decision // false for a moment after the quorum is lost
    return {
      id,
      decision,
      decisionSince: isSettled ? Math.floor(state.since / 1000) : null,
      liveVerifiers: numbers.liveVerifiers,
      avgBlocksLatency: numbers.avgBlocksLatency,
      avgTimeLatency: numbers.avgTimeLatency,
      timestamp: Math.floor(evaluatedAt / 1000),
      maintenance: services.maintenance(id),
      reason: isSettled ? reasonOf(listed, decision, numbers.liveVerifiers) : null,
      pending: isSettled ? pendingOf(listed) : null,
    }
  }

  /** Sentences by what they are made of: few are different, and a live view asks for those of all services each second. */
  const sentences = new Map<string, string>()

  function sentenceOf(reason: string): string {
    const known = sentences.get(reason)
    if (known !== undefined) return known
    if (sentences.size >= maxSentences) sentences.clear()
    const sentence = reasonSentence(reason)
    sentences.set(reason, sentence)
    return sentence
  }

  function reasonOf(listed: ListedService, decision: Decision, liveVerifiers: number): string | null {
    if (decision === 'UP') return null
    if (decision === 'UNKNOWN') return sentenceOf(decisionReason(decision, [], liveVerifiers))
    const cause = evaluation.cause(listed)
    return cause && sentenceOf(cause.reason)
  }

  function pendingOf(listed: ListedService): ServiceState['pending'] {
    const pending = evaluation.pendingChange(listed)
    return (
      pending && {
        decision: pending.to,
        since: Math.floor(pending.since / 1000),
        neededSec: Math.ceil(pending.neededMs / 1000),
      }
    )
  }

  function summaryOf(listed: ListedService): ServiceSummary {
    const { name, family, chain, provider, labels, objective, managedBy } = listed.service
    const chainName = chain === null ? null : { key: chain, name: findChain(chain)?.name ?? chain }
    const named = { name, family, chain: chainName, provider, labels, objective, managedBy }
    return { ...stateOf(listed), ...named }
  }

  function* visible(): Generator<ListedService> {
    for (const listed of catalogue.all()) if (!listed.service.isHidden) yield listed
  }

  return {
    visible,
    stateOf,

    /** Yields what people know services by, with a reader of the rest. */
    *named(): Generator<NamedService> {
      for (const listed of visible()) {
        const { id, name, chain, provider } = listed.service
        yield { id, name, chain, provider, summary: () => summaryOf(listed) }
      }
    },

    /** Returns one service. Throws the fault `not_found`. */
    summary: (id: string): ServiceSummary => summaryOf(services.find(id)),

    summaries: (): ServiceSummary[] => [...visible()].map(summaryOf),

    /** Returns a number that changes whenever a service comes, goes or is edited. */
    listVersion: (): number => catalogue.version,

    /** Yields what changes of each service by itself. */
    *states(): Generator<ServiceState> {
      for (const listed of visible()) yield stateOf(listed)
    },
  }
}
