import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import { type OAuthPeer, startOAuthPeer } from '../../tests/support/oauth-peer.ts'
import {
  type AgentNode,
  agentNode,
  consent,
  origin,
  queryOf,
  redirectUri,
} from './test-support/agent-node.ts'

/** An authorization server of another maker as a yardstick for what is refused. */

let own: TestDatabase
let node: AgentNode
let peer: OAuthPeer
let ids: { readonly ours: string; readonly theirs: string }

beforeAll(async () => {
  own = await testDatabase()
  node = await agentNode(own.database)
  peer = await startOAuthPeer({ resource: `${origin}/mcp`, scope: 'gateway_use' })
  const registered = await fetch(`${peer.issuer}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ application_type: 'native', redirect_uris: [redirectUri] }),
  })
  const { client_id: theirs } = (await registered.json()) as { client_id: string }
  ids = { ours: (await node.register()).client_id, theirs }
})

afterAll(async () => {
  await peer?.stop()
  await node?.stop()
  await own?.drop()
})

/** Null leaves a parameter out. */
const requests: readonly (readonly [string, Readonly<Record<string, string | null>>])[] = [
  ['as it should be', {}],
  ['no challenge', { code_challenge: null }],
  ['a plain challenge', { code_challenge_method: 'plain' }],
  ['a short challenge', { code_challenge: 'abc' }],
  ['another path', { redirect_uri: 'http://127.0.0.1:49152/other' }],
  ['another port', { redirect_uri: 'http://127.0.0.1:10/callback' }],
  ['no address', { redirect_uri: null }],
  ['a slash at the end', { redirect_uri: `${redirectUri}/` }],
  ['a query', { redirect_uri: `${redirectUri}?a=b` }],
  ['upper case', { redirect_uri: redirectUri.replace('http', 'HTTP') }],
  ['a user', { redirect_uri: redirectUri.replace('//', '//a@') }],
  ['a fragment', { redirect_uri: `${redirectUri}#x` }],
  ['an encoded letter', { redirect_uri: redirectUri.replace('callback', '%63allback') }],
  ['another name', { redirect_uri: redirectUri.replace('127.0.0.1', 'localhost') }],
  ['a longer host', { redirect_uri: redirectUri.replace('127.0.0.1', '127.0.0.1.evil.example') }],
  ['an address elsewhere', { redirect_uri: 'https://evil.example/callback' }],
  ['a token at once', { response_type: 'token' }],
  ['no type', { response_type: null }],
  ['an unknown client', { client_id: 'nobody' }],
  ['no client', { client_id: null }],
  ['another resource', { resource: 'https://elsewhere.example/' }],
  ['no question', { prompt: 'none' }],
  ['an object', { request: 'x.y.z' }],
]

function queryWith(id: string, over: Readonly<Record<string, string | null>>): string {
  const query = new URLSearchParams(queryOf(id))
  for (const [name, value] of Object.entries(over)) {
    if (value === null) query.delete(name)
    else query.set(name, value)
  }
  return query.toString()
}

test('both authorization servers give a code to the same requests', async () => {
  const differences: string[] = []
  for (const [name, over] of requests) {
    const ours = await consent(node, queryWith(ids.ours, over)).catch(() => null)
    const theirs = await peer.browse(`${peer.issuer}/oauth/authorize?${queryWith(ids.theirs, over)}`)
    const gave = [ours, theirs].map((back) => back?.searchParams.has('code') ?? false)
    if (name === 'as it should be') expect(gave).toEqual([true, true])
    if (gave[0] !== gave[1]) differences.push(name)
  }
  // They take the only address that is registered; we want it said.
  expect(differences).toEqual(['no address'])
})
