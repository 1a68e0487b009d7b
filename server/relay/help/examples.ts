import type { Family } from '../../../shared/chains.ts'

export interface CodeExample {
  /** The program or library. */
  readonly with: string
  readonly code: string
}

interface ExampleCall {
  readonly address: string
  readonly method: string
}

/** Returns how a call is made at an address, with what people of the family use. */
export const examplesOf = (family: Family, method: string, address: string): readonly CodeExample[] =>
  [curl, ...(libraries[family] ?? [fetching])].map((example) => example({ address, method }))

/** The same for an endpoint of paths, with the first of them. */
export function restExamplesOf(paths: readonly string[], address: string): readonly CodeExample[] {
  const path = (paths.find((each) => each.startsWith('GET ')) ?? 'GET /').slice('GET '.length)
  const url = address + path.replaceAll(/\*+/g, '…')
  return [
    { with: 'curl', code: `curl '${url}'` },
    {
      with: 'JavaScript',
      code: `const response = await fetch('${url}')\nconsole.log(await response.json())`,
    },
  ]
}

const curl = ({ address, method }: ExampleCall): CodeExample => ({
  with: 'curl',
  code: `curl '${address}' \\
  -H 'content-type: application/json' \\
  -d '${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] })}'`,
})

const viem = ({ address }: ExampleCall): CodeExample => ({
  with: 'viem',
  code: `import { createPublicClient, http } from 'viem'

const client = createPublicClient({ transport: http('${address}') })
console.log(await client.getBlockNumber())`,
})

const ethers = ({ address }: ExampleCall): CodeExample => ({
  with: 'ethers',
  code: `import { JsonRpcProvider } from 'ethers'

const provider = new JsonRpcProvider('${address}')
console.log(await provider.getBlockNumber())`,
})

const solanaWeb3 = ({ address }: ExampleCall): CodeExample => ({
  with: '@solana/web3.js',
  code: `import { Connection } from '@solana/web3.js'

const connection = new Connection('${address}', {
  // Without this it looks for WebSockets at the next port.
  wsEndpoint: '${address.replace(/^http/, 'ws')}',
})
console.log(await connection.getSlot())`,
})

const bitcoinCore = ({ address }: ExampleCall): CodeExample => ({
  with: 'bitcoin-core',
  code: `const Client = require('bitcoin-core')

const client = new Client({ host: '${address.replace('/{key}', '')}', username: 'any', password: '{key}' })
console.log(await client.getBlockCount())`,
})

const fetching = ({ address, method }: ExampleCall): CodeExample => ({
  with: 'JavaScript',
  code: `const response = await fetch('${address}', {
  method: 'POST',
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: '${method}' }),
})
console.log(await response.json())`,
})

const libraries: Partial<Readonly<Record<Family, readonly ((call: ExampleCall) => CodeExample)[]>>> = {
  evm: [viem, ethers],
  filecoin: [viem, ethers],
  solana: [solanaWeb3],
  bitcoin: [bitcoinCore],
}
