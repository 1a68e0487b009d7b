import type { Family } from '../../shared/chains.ts'
import { harmlessCalls } from '../../shared/harmless-calls.ts'
import { sampleOrigin } from '../keys/sample-origin.ts'

/** Stands for the key in what is shown. */
export const queryKeyPlaceholder = 'YOUR_KEY'

/** Null: the key stays out, and its placeholder stands there. */
export const withQueryKey = (address: string, value: string | null): string =>
  address.replace('{key}', value ?? queryKeyPlaceholder)

export type Transport = 'http' | 'webSocket'

const callOf = (family: Family): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: harmlessCalls[family] ?? 'status', params: [] })

/**
 * A command that sends one call. A command is no browser: for a key with Allowed Domains it says that it comes from
 * one of them.
 */
export function curlCommand(url: string, family: Family, allowedDomains: readonly string[]): string {
  const origin = allowedDomains[0] === undefined ? null : sampleOrigin(allowedDomains[0])
  return [
    `curl '${url}'`,
    `-H 'Content-Type: application/json'`,
    ...(origin === null ? [] : [`-H 'Origin: ${origin}'`]),
    `-d '${callOf(family)}'`,
  ].join(' \\\n  ')
}

/** The same over a WebSocket, which curl does not speak. */
export function webSocketCommand(url: string, family: Family, allowedDomains: readonly string[]): string {
  const origin = allowedDomains[0] === undefined ? null : sampleOrigin(allowedDomains[0])
  return [
    `npx wscat -c '${url}'`,
    ...(origin === null ? [] : [`-o '${origin}'`]),
    `-x '${callOf(family)}'`,
  ].join(' \\\n  ')
}

export const ethersSnippet = (url: string, transport: Transport): string =>
  transport === 'http'
    ? `import { JsonRpcProvider } from 'ethers'

const provider = new JsonRpcProvider('${url}')
console.log(await provider.getBlockNumber())`
    : `import { WebSocketProvider } from 'ethers'

const provider = new WebSocketProvider('${url}')
provider.on('block', (number) => console.log(number))`

export const viemSnippet = (url: string, transport: Transport): string =>
  transport === 'http'
    ? `import { createPublicClient, http } from 'viem'

const client = createPublicClient({
  transport: http('${url}'),
})
console.log(await client.getBlockNumber())`
    : `import { createPublicClient, webSocket } from 'viem'

const client = createPublicClient({
  transport: webSocket('${url}'),
})
client.watchBlockNumber({ onBlockNumber: (number) => console.log(number) })`
