import { BindMcpTokensArguments } from '../../../shared/gateway.ts'
import { answer, refuse } from '../outcome.ts'
import { secretsOf } from '../secrets-of.ts'
import { readArguments } from '../tools/read-arguments.ts'
import { findService } from './find-service.ts'
import type { Operation } from './operation.ts'

/** The older way to bind bearer tokens to a session; `bind_credentials_bag` goes before it. */
export const bindMcpTokens: Operation = {
  name: 'bind_mcp_tokens',
  run(given, call, parties) {
    const read = readArguments(BindMcpTokensArguments, given)
    if (!read.ok) return read.refused
    const { tokens = {}, token, service_id: serviceId } = read.value
    const bound = secretsOf(tokens)
    if (token !== undefined && serviceId !== undefined) {
      const found = findService(read.value, call, parties)
      if (!found.ok) return found.refused
      const { credentialKey = null } = found.details.mcp ?? {}
      if (credentialKey === null) return noCredentials
      bound.set(credentialKey.toLowerCase(), token)
    }
    if (bound.size === 0) return nothingToBind
    const session = call.session.ensure()
    session.tokens = new Map([...session.tokens, ...bound])
    return answer({
      session: session.id,
      bound: [...session.tokens.keys()].toSorted(),
      expires_at: new Date(session.expiresAt).toISOString(),
      next_actions: [
        {
          tool: 'execute',
          operation: 'connect_mcp',
          reason: 'connects to a tool server with a token that is bound now',
        },
      ],
    })
  },
}

const nothingToBind = refuse(
  'invalid_arguments',
  'There is nothing to bind: give tokens as {"<credentialKey>": "<bearer token>"}, or token with a service_id',
  [{ tool: 'execute', operation: 'list_mcps', reason: 'shows which credentialKey each tool server takes' }],
)

const noCredentials = refuse('invalid_arguments', 'This service takes no credentials', [
  { tool: 'execute', operation: 'connect_mcp', reason: 'connects to it without any' },
])
