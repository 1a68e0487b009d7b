import type { EndpointChoice } from '../../shared/endpoints.ts'
import { harmlessCalls } from '../../shared/harmless-calls.ts'
import type { QueryKeyView } from '../../shared/query-keys.ts'

/** What is missing until there is usage to look at. */
export type NextStep =
  | { readonly kind: 'add-endpoint' | 'create-key' | 'look-earlier' }
  /** A command that makes a call, once the value of the key is put into it. */
  | { readonly kind: 'call'; readonly keyName: string; readonly command: string }

/** In place of the value of a key. */
export const keyPlaceholder = 'YOUR_QUERY_KEY'

type Key = Pick<QueryKeyView, 'name' | 'endpoint' | 'state' | 'lastUsedAt'>
type Endpoint = Pick<EndpointChoice, 'name' | 'family' | 'url'>

export function nextStep(endpoints: readonly Endpoint[], keys: readonly Key[]): NextStep {
  if (keys.some(({ lastUsedAt }) => lastUsedAt !== null)) return { kind: 'look-earlier' }
  for (const { name, endpoint, state } of keys) {
    const found = endpoints.find((one) => one.name === endpoint)
    if (state === 'enabled' && found !== undefined)
      return { kind: 'call', keyName: name, command: callCommand(found) }
  }
  return { kind: endpoints.length === 0 ? 'add-endpoint' : 'create-key' }
}

function callCommand({ url, family }: Endpoint): string {
  const call = { jsonrpc: '2.0', id: 1, method: harmlessCalls[family] ?? 'eth_chainId', params: [] }
  return [
    `curl '${url.replace('{key}', keyPlaceholder)}'`,
    `-H 'content-type: application/json'`,
    `-d '${JSON.stringify(call)}'`,
  ].join(' \\\n  ')
}
