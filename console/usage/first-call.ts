import type { EndpointChoice } from '../../shared/endpoints.ts'
import type { QueryKeyView } from '../../shared/query-keys.ts'
import { curlCommand, withQueryKey } from '../query-keys/connect-snippets.ts'

/** What is missing until there is usage to look at. */
export type NextStep =
  | { readonly kind: 'add-endpoint' | 'create-key' | 'look-earlier' }
  /** A command that makes a call, once the value of the key is put into it. */
  | { readonly kind: 'call'; readonly key: NamedKey; readonly command: string }

type NamedKey = Pick<QueryKeyView, 'id' | 'name'>
type Key = NamedKey &
  Pick<QueryKeyView, 'endpoint' | 'state' | 'lastUsedAt'> & {
    readonly allowedDomains: readonly string[]
  }
type Endpoint = Pick<EndpointChoice, 'name' | 'family' | 'url'>

export function nextStep(endpoints: readonly Endpoint[], keys: readonly Key[]): NextStep {
  if (keys.some(({ lastUsedAt }) => lastUsedAt !== null)) return { kind: 'look-earlier' }
  for (const key of keys) {
    const { endpoint, state, allowedDomains } = key
    const found = endpoints.find((one) => one.name === endpoint)
    if (state !== 'enabled' || found === undefined) continue
    const command = curlCommand(withQueryKey(found.url, null), found.family, allowedDomains)
    return { kind: 'call', key, command }
  }
  return { kind: endpoints.length === 0 ? 'add-endpoint' : 'create-key' }
}
