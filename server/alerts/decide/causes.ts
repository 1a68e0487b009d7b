import { isVerifierSilent } from '../../../shared/verifier-state.ts'
import type { AlertEvent } from '../alert-event.ts'
import type { RuleFinding, RuleWorld } from './rule-finding.ts'
import type { AlertableService } from './watched.ts'

/** What makes many services fail at once, so that one message stands for all of them. */
export interface CommonCause {
  readonly subject: AlertEvent['subject']
  /** Without the number of services. */
  readonly text: string
}

const isLost = ({ decision, pending }: AlertableService): boolean =>
  [decision, pending].some((one) => one === 'DOWN' || one === 'UNKNOWN')

export type FindCause = (finding: RuleFinding) => CommonCause | null

/**
 * Returns the function that says why a service fails together with others; it looks at each chain once.
 *
 * UNKNOWN is said where too few verifiers report: where one of those that count is cut off or silent, that is the cause. A
 * chain has lost its reference when none of its nodes, of two at least, can be relied on; a node whose votes already ask for
 * DOWN counts, because nodes that fail together are decided about one after the other.
 */
export function createFindCause({ now, services, facts }: RuleWorld): FindCause {
  const missing = facts.verifiers.filter(
    (verifier) => !verifier.isSetAside && (verifier.isIsolated || isVerifierSilent(verifier, now)),
  )
  let chains: Map<string, AlertableService[]> | null = null

  function nodesOf(chain: string): readonly AlertableService[] {
    if (chains === null) {
      chains = new Map()
      for (const service of services.values()) {
        if (service.chain === null) continue
        const known = chains.get(service.chain)
        if (known === undefined) chains.set(service.chain, [service])
        else known.push(service)
      }
    }
    return chains.get(chain) ?? []
  }

  const lost = new Map<string, boolean>()
  function isChainLost(chain: string): boolean {
    const known = lost.get(chain)
    if (known !== undefined) return known
    const nodes = nodesOf(chain)
    const isSo = nodes.length >= 2 && nodes.every(isLost)
    lost.set(chain, isSo)
    return isSo
  }

  return ({ type, decision, data }) => {
    if (type !== 'service.decision_changed') return null
    if (decision === 'UNKNOWN' && missing.length > 0) {
      const names = missing.map(
        ({ name, isIsolated }) => `${name} ${isIsolated ? 'is cut off' : 'is silent'}`,
      )
      return {
        subject: { kind: 'verifiers', id: 'quorum', name: 'Verifiers' },
        text: `Too few verifiers report: ${names.slice(0, 5).join(', ')}`,
      }
    }
    const chain = data['chain']
    if (typeof chain !== 'string' || (decision !== 'DOWN' && decision !== 'UNKNOWN') || !isChainLost(chain))
      return null
    return {
      subject: { kind: 'chain', id: chain, name: chain },
      text: `The chain ${chain} has lost its reference: none of its ${nodesOf(chain).length} nodes can be relied on`,
    }
  }
}
