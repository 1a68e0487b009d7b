import { argv, env, exit, stderr } from 'node:process'

/**
 * What the conformance suite starts for a scenario (`hand-over <where to> <address of its server>`): hands it over to the client
 * that waits at the first address, and says what that said.
 */
const [, , client = '', url = ''] = argv
const name = env['MCP_CONFORMANCE_SCENARIO'] ?? ''
const context: unknown = JSON.parse(env['MCP_CONFORMANCE_CONTEXT'] ?? '{}')
const answer = await fetch(client, { method: 'POST', body: JSON.stringify({ url, name, context }) })
stderr.write(await answer.text())
exit(answer.ok ? 0 : 1)
