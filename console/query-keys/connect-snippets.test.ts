import { describe, expect, test } from 'bun:test'

import {
  curlCommand,
  ethersSnippet,
  viemSnippet,
  webSocketCommand,
  withQueryKey,
} from './connect-snippets.ts'

const url = 'https://gatehouse.example/rpc/mainnet/{key}'

test('the key stays out until it is put in', () => {
  expect(withQueryKey(url, null)).toBe('https://gatehouse.example/rpc/mainnet/YOUR_KEY')
  expect(withQueryKey(url, 'gqk_value')).toBe('https://gatehouse.example/rpc/mainnet/gqk_value')
})

describe('commands', () => {
  test('send a call that the family of the chain knows', () => {
    expect(curlCommand('https://a.example', 'evm', [])).toBe(
      `curl 'https://a.example' \\\n  -H 'Content-Type: application/json' \\\n  -d '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'`,
    )
    expect(curlCommand('https://a.example', 'solana', [])).toContain('"method":"getSlot"')
    expect(webSocketCommand('wss://a.example', 'near', [])).toContain('"method":"status"')
  })

  test('come from a page that is let in, where only pages of some domains are', () => {
    expect(curlCommand('https://a.example', 'evm', ['*.example.com'])).toContain(
      "-H 'Origin: https://www.example.com'",
    )
    expect(webSocketCommand('wss://a.example', 'evm', ['*.example.com'])).toContain(
      "-o 'https://www.example.com'",
    )
  })
})

test('programs use the transport that was chosen', () => {
  expect(ethersSnippet('https://a.example', 'http')).toContain("new JsonRpcProvider('https://a.example')")
  expect(ethersSnippet('wss://a.example', 'webSocket')).toContain("new WebSocketProvider('wss://a.example')")
  expect(viemSnippet('https://a.example', 'http')).toContain("transport: http('https://a.example')")
  expect(viemSnippet('wss://a.example', 'webSocket')).toContain("transport: webSocket('wss://a.example')")
})
