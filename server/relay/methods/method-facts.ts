import type { Endpoint } from '../../endpoints/endpoints.ts'

import { type Lasting, lastingKind } from './lasting-answer.ts'
import { type MethodKind, methodKind } from './method-kind.ts'

/** What is known of a method at an endpoint. */
export interface MethodFacts {
  readonly isAllowed: boolean
  readonly credits: number
  readonly kind: MethodKind
  readonly lasting: Lasting | null
}

/** Callers may invent names without end. */
const maxKnownMethods = 2_000

/** Asked for each call, while patterns and prices change with the endpoint only. */
export function createMethodFacts(endpoint: Endpoint): (method: string) => MethodFacts {
  const known = new Map<string, MethodFacts>()

  return (method) => {
    const found = known.get(method)
    if (found !== undefined) return found
    const facts = {
      isAllowed: endpoint.allows(method),
      credits: endpoint.priceOf(method),
      kind: methodKind(endpoint.family, method),
      lasting: lastingKind(endpoint.family, method),
    }
    if (known.size < maxKnownMethods) known.set(method, facts)
    return facts
  }
}
