import type { ServiceUpdate } from '../../../shared/health-services.ts'
import { withoutNulls } from '../../../shared/merge-patch.ts'
import type { SpecProblem } from './check-access.ts'
import type { StoredSpec } from './store.ts'

/** The changed specification, or the problem that forbids the change. */
export type ChangedServiceSpec =
  | { readonly kind: 'spec'; readonly spec: StoredSpec }
  | { readonly kind: 'problem'; readonly problem: SpecProblem }

/** Applies a change to a stored specification. `resolveService` checks afterwards whether the result is consistent. */
export function changeServiceSpec(stored: StoredSpec, change: ServiceUpdate): ChangedServiceSpec {
  const endpoint = change.endpoint ?? stored.endpoint
  const unchanged = unchangedHeaders(stored, change)
  // A stored header cannot be read again, so it must not be obtained by sending it to another origin either.
  if (Object.keys(unchanged).length > 0 && new URL(endpoint).origin !== new URL(stored.endpoint).origin) {
    const names = Object.keys(unchanged).join(', ')
    const message = `give ${names} again, or null to remove: headers are not sent to another address unasked`
    return { kind: 'problem', problem: { field: 'headers', message } }
  }
  const { ws = stored.ws ?? null } = change
  // It would go on telling of the node that was there before.
  if (ws !== null && change.ws === undefined && new URL(endpoint).host !== new URL(stored.endpoint).host) {
    const message = 'give it again, or null to remove it: the endpoint has moved to another host'
    return { kind: 'problem', problem: { field: 'ws', message } }
  }
  const { rule = stored.rule ?? null, chain = stored.chain ?? null, ca = stored.ca ?? null } = change
  const { capabilities = stored.capabilities, labels = stored.labels } = change
  const { objective = stored.objective ?? null } = change
  const spec: StoredSpec = {
    id: stored.id,
    name: change.name ?? stored.name,
    family: stored.family,
    ...(chain !== null && { chain }),
    provider: change.provider ?? stored.provider,
    ...(labels !== undefined && { labels }),
    ...(objective !== null && { objective }),
    endpoint,
    ...(ws !== null && { ws }),
    headers: { ...unchanged, ...withoutNulls(change.headers ?? {}) },
    ...(ca !== null && { ca }),
    ...(rule !== null && { rule }),
    ...(capabilities !== undefined && { capabilities }),
    policy: change.policy ?? stored.policy,
  }
  return { kind: 'spec', spec }
}

/** Returns the stored headers that the change does not name. */
function unchangedHeaders(stored: StoredSpec, { headers = {} }: ServiceUpdate): Record<string, string> {
  const named = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
  return Object.fromEntries(
    Object.entries(stored.headers ?? {}).filter(([name]) => !named.has(name.toLowerCase())),
  )
}
