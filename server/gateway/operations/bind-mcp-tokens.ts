import { BindMcpTokensArguments } from '../../../shared/gateway.ts'
import { findServices, listMcpsAction } from '../next-actions.ts'
import { toolAnswer, toolRefusal } from '../tool-result.ts'
import { secretsByProvider } from './downstream-call.ts'
import { boundActions } from './bound-actions.ts'
import { findService } from './find-target.ts'
import { operation } from './operation.ts'

/**
 * Binds bearer tokens to a session. This is the older form; tokens of `bind_credentials_bag` take precedence.
 */
export const bindMcpTokens = operation(BindMcpTokensArguments, (given, call, dependencies) => {
  const { tokens = {}, token, service_id: serviceId } = given
  const bound = secretsByProvider(tokens)
  if (token !== undefined && serviceId !== undefined) {
    const found = findService(given, call, dependencies)
    if (!found.ok) return found.refused
    const { credentialKey = null } = found.details.mcp ?? {}
    if (credentialKey === null) return noCredentials
    bound.set(credentialKey.toLowerCase(), token)
  }
  if (bound.size === 0) return nothingToBind
  const session = call.session.ensure()
  session.tokens = new Map([...session.tokens, ...bound])
  return toolAnswer({
    session: session.id,
    bound: [...session.tokens.keys()].toSorted(),
    expires_at: new Date(session.expiresAt).toISOString(),
    next_actions: boundActions([...session.tokens.keys()], dependencies.registry.mcpServers()),
  })
})

const nothingToBind = toolRefusal(
  'invalid_arguments',
  'There is nothing to bind: give tokens as {"<credentialKey>": "<bearer token>"}, or token with a service_id',
  [listMcpsAction],
)

const noCredentials = toolRefusal(
  'invalid_arguments',
  'This service takes no credentials: it is used without any',
  [listMcpsAction, findServices],
)
