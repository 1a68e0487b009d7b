import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

import { connectClient } from '../../scripts/world/mcp-clients.ts'
import { type SignedInClient, signInAt } from '../../scripts/world/signed-in-client.ts'
import type { OAuthToolServer } from '../../server/connections/test-support/oauth-tool-server.ts'
import { agentProgram, letIn } from './agent-program.ts'
import type { Canaries } from './canaries.ts'
import { makeGatewayKey } from './gateway-keys.ts'

interface AgentWorld {
  readonly url: string
  readonly canaries: Canaries
  /** Its account is at an authorization server, and its tool `quote` says what it was shown. */
  readonly notes: OAuthToolServer
  /** Keeps an output, in which no secret may stand. */
  readonly keep: (source: string, content: string) => void
}

/**
 * An agent is let in by OAuth, and calls tool servers with secrets that are brought in every way there is; then everything
 * is asked that shows agents, connections and calls. Each secret is planted or adopted. Returns the agent's account.
 */
export async function useSecretsOfAgents(world: AgentWorld): Promise<SignedInClient> {
  const key = await makeGatewayKey(world.url)
  world.canaries.adopt('API key of an agent', key.value.slice(4))
  await letAgentIn(world, key.owner)
  await connectByOAuth(world, key.owner, key.value)
  await bringSecrets(world, key.value)
  for (const procedure of ['agents.list', 'agents.reused', 'connections.list', 'toolPolicies.list'])
    world.keep(procedure, JSON.stringify(await key.owner.query(procedure)))
  world.keep('toolCalls.list', JSON.stringify(await key.owner.query(`toolCalls.list?input=%7B%7D`)))
  return key.owner
}

/** The code, the tokens and what proves them; then each of them where it does not belong. */
async function letAgentIn({ url, canaries, keep }: AgentWorld, owner: SignedInClient): Promise<void> {
  const program = agentProgram()
  const address = new URL('/mcp/account', url)
  const transport = new StreamableHTTPClientTransport(address, { authProvider: program })
  await new Client({ name: 'agent', version: '1' }).connect(transport).catch(() => undefined)
  const back = await letIn(owner, program.sentTo ?? address)
  await transport.finishAuth(back.searchParams)
  const code = canaries.adopt('code of an agent', back.searchParams.get('code') ?? '')
  const access = canaries.adopt('token of an agent', program.kept?.access_token ?? '')
  const refresh = canaries.adopt('refresh token of an agent', program.kept?.refresh_token ?? '')
  const proof = canaries.adopt('verifier of an agent', await program.codeVerifier())

  const client = { client_id: program.sentTo?.searchParams.get('client_id') ?? '' }
  const send = async (path: string, fields: Readonly<Record<string, string>>): Promise<void> => {
    const answer = await fetch(`${url}${path}`, { method: 'POST', body: new URLSearchParams(fields) })
    keep(`POST ${path}`, `${answer.status} ${await answer.text()}`)
  }
  for (const token of [access, code, `${refresh}x`, canaries.plant('wrong token of an agent')]) {
    await send('/oauth/token', { grant_type: 'refresh_token', refresh_token: token, ...client })
    await send('/oauth/token', { grant_type: token, [token]: token, ...client })
    await send('/oauth/revoke', { token, client_id: token })
    for (const path of ['/mcp', '/account/api-key', `/mcp?access_token=${token}`]) {
      const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}x` } })
      keep(`GET ${path.split('?')[0]} as an agent`, `${answer.status} ${await answer.text()}`)
    }
  }
  // The code comes again, which ends all that it gave.
  await send('/oauth/token', { grant_type: 'authorization_code', code, code_verifier: proof, ...client })
  const query = new URLSearchParams({ state: canaries.plant('state of an agent'), client_id: refresh })
  keep('agents.ask', JSON.stringify(await owner.mutate('agents.ask', { query: query.toString() })))
}

/** A connection whose tokens the tool server quotes, while its owner has what is called kept. */
async function connectByOAuth(
  { url, canaries, keep, notes }: AgentWorld,
  owner: SignedInClient,
  apiKey: string,
): Promise<void> {
  const { data } = await owner.mutate('connections.create', { serviceId: 'mcpservers:notes', auth: 'oauth' })
  const { id } = data as { id: string }
  const begun = await owner.mutate('connections.beginConsent', { id })
  const away = new URL((begun.data as { redirectTo: string }).redirectTo)
  canaries.adopt('state at an authorization server', away.searchParams.get('state') ?? '')
  const back = await notes.peer.browse(away)
  canaries.adopt('code of an authorization server', back?.searchParams.get('code') ?? '')
  await (await owner.send(`${back?.pathname}${back?.search}`, { redirect: 'manual' })).text()
  await owner.mutate('connections.keepContent', { id, hours: 1 })

  const agent = await connectClient('v2 2026 http', url, { apiKey })
  const call = async (operation: string, args: Record<string, unknown>) =>
    keep(operation, JSON.stringify(await agent.execute(operation, { connection_id: id, ...args })))
  await call('connect_mcp', {})
  await call('list_mcp_tools', {})
  await call('call_mcp_tool', { tool_name: 'quote' })
  notes.wantScope('more')
  await call('call_mcp_tool', { tool_name: 'quote' })
  notes.wantScope(null)
  await agent.close()
  const shown = new Set(notes.shown.map((header) => header.replace(/^Bearer /, '')))
  if (shown.size === 0) throw new Error('the tool server was shown nothing')
  for (const token of shown) canaries.adopt('token for a tool server', token)
}

/** A saved secret, a bag, bound tokens and headers, each for a tool server that takes none of them. */
async function bringSecrets({ url, canaries, keep }: AgentWorld, apiKey: string): Promise<void> {
  const headers = { 'x-gateway-cred-notes': canaries.plant('credential in a header') }
  const agent = await connectClient('v2 2025 http', url, { apiKey, headers })
  const execute = async (operation: string, args: Record<string, unknown>) =>
    keep(operation, JSON.stringify(await agent.execute(operation, args, 'mcpservers:notes')))
  const bag = { notes: canaries.plant('credential in a bag') }
  keep(
    'bind_credentials_bag',
    JSON.stringify(await agent.call('bind_credentials_bag', { credentials_bag: bag })),
  )
  await execute('bind_mcp_tokens', { tokens: { notes: canaries.plant('bound token') } })
  await execute('create_connection', { credentials: { secret: canaries.plant('saved secret') } })
  await execute('create_connection', { credentials: { [canaries.plant('wrong field')]: 1 }, label: {} })
  for (const operation of ['connect_mcp', 'list_mcp_tools', 'list_connections', 'get_details'])
    await execute(operation, {})
  await agent.close()
  const stranger = await signInAt(url)
  const wrong = { serviceId: 'mcpservers:notes', secret: { deep: canaries.plant('secret of a wrong form') } }
  keep('connections.create', JSON.stringify(await stranger.mutate('connections.create', wrong)))
}
