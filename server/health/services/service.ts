import { type Chain, type Family, isChainless, suitsChain } from '../../../shared/chains.ts'
import type { HttpRule, Policy, PolicyOverrides, ServiceSpec } from '../../../shared/health.ts'
import type { DeclaredCapabilities } from '../../../shared/node-capabilities.ts'
import { policyProblem, resolvePolicy, withoutContradictions } from '../decide/policy.ts'
import { type SpecProblem, findCaProblem, findRuleProblem, findWebSocketProblem } from './check-access.ts'

/** A monitored service with everything filled in. `chain` is null for the families that read no head. */
export interface Service {
  readonly id: string
  readonly name: string
  readonly family: Family
  readonly chain: string | null
  readonly provider: string
  readonly labels: readonly string[]
  /** In percent; null: the usual one. */
  readonly objective: number | null
  readonly endpoint: string
  /** Where its new heads are subscribed to. */
  readonly ws: string | null
  readonly headers: Readonly<Record<string, string>>
  /** Certificates in PEM that are trusted in place of the public ones. */
  readonly ca: string | null
  readonly rule: HttpRule | null
  /** What is declared of a node, whatever verifiers find out. */
  readonly capabilities: DeclaredCapabilities
  readonly overrides: PolicyOverrides
  readonly policy: Policy
  readonly managedBy: 'file' | 'operator'
  /** True for the anchors of a chain, which every round probes for comparison, and which are never shown or published. */
  readonly isHidden: boolean
}

export type Resolution =
  | { readonly kind: 'service'; readonly service: Service }
  | { readonly kind: 'problem'; readonly problem: SpecProblem }

const problem = (field: string, message: string): Resolution => ({
  kind: 'problem',
  problem: { field, message },
})

export type FindChain = (key: string) => Chain | undefined

interface Origin {
  readonly id: string
  readonly managedBy: Service['managedBy']
  readonly isHidden?: boolean
  /** True for what was accepted before, perhaps by an older version: its policy is mended instead of refused. */
  readonly isStored?: boolean
}

/** The prefix of the ids of anchors, which no other id may have. */
export const anchorPrefix = 'anchor:'

/** Completes a specification from its chain and the default policy, or returns the field that contradicts another. */
export function resolveService(spec: ServiceSpec, origin: Origin, findChain: FindChain): Resolution {
  if (!origin.isHidden && origin.id.startsWith(anchorPrefix)) {
    return problem('id', `must not begin with ${anchorPrefix}`)
  }
  const chain = spec.chain === undefined ? null : findChain(spec.chain)
  if (chain === undefined) {
    return problem('chain', `unknown chain "${spec.chain}"; add it under chains: or use a built-in key`)
  }
  const family = spec.family ?? chain?.family
  if (family === undefined) return problem('chain', 'required, unless family is http or mcp')
  if (isChainless(family)) {
    if (chain !== null && spec.family !== undefined) {
      return problem('chain', `not allowed for family ${family}, which reads no chain`)
    }
  } else {
    if (chain === null) return problem('chain', `required for family ${family}`)
    if (!suitsChain(family, chain.family)) {
      return problem('family', `"${family}" does not fit chain ${chain.key}, whose family is ${chain.family}`)
    }
  }
  const { capabilities = {} } = spec
  if (isChainless(family) && Object.keys(capabilities).length > 0) {
    return problem('capabilities', `not allowed for family ${family}, which reads no chain`)
  }
  if (spec.rule !== undefined && family !== 'http') return problem('rule', 'only for family http')
  const wrong = findRuleProblem(spec.rule) ?? findCaProblem(spec) ?? findWebSocketProblem(spec, family)
  if (wrong !== null) return { kind: 'problem', problem: wrong }

  const policyChain = isChainless(family) ? null : chain
  const policy = resolvePolicy(policyChain, family, spec.policy)
  const contradiction = origin.isStored ? null : policyProblem(policy)
  if (contradiction) return problem(`policy.${contradiction.setting}`, contradiction.message)
  return {
    kind: 'service',
    service: {
      id: origin.id,
      name: spec.name,
      family,
      chain: policyChain?.key ?? null,
      provider: spec.provider,
      labels: spec.labels ?? [],
      objective: spec.objective ?? null,
      endpoint: spec.endpoint,
      ws: spec.ws ?? null,
      headers: spec.headers ?? {},
      ca: spec.ca ?? null,
      rule: spec.rule ?? null,
      capabilities,
      overrides: spec.policy,
      policy: withoutContradictions(policy),
      managedBy: origin.managedBy,
      isHidden: origin.isHidden ?? false,
    },
  }
}
