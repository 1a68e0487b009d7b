import { BindCredentialsBagInput, BindCredentialsBagOutput } from '../../../shared/gateway.ts'
import { secretsByProvider, credentialHeaders } from '../operations/downstream-call.ts'
import { toolAnswer, readToolArguments } from '../tool-result.ts'
import { inputSchemaOf, outputSchemaOf } from './json-schemas.ts'
import { sessionOfCall } from './session-of-call.ts'
import type { GatewayTool } from './tool.ts'

export const bindCredentialsBag: GatewayTool = {
  definition: {
    name: 'bind_credentials_bag',
    title: 'Bind credentials',
    description:
      'Binds secrets for tool servers of others to this session: from credentials_bag, or from the x-gateway-cred-<provider> headers of the request. What is bound replaces what was bound before for the same provider, is never shown, and is forgotten when the session ends.',
    inputSchema: inputSchemaOf(BindCredentialsBagInput),
    outputSchema: outputSchemaOf(BindCredentialsBagOutput),
    annotations: {
      title: 'Bind credentials',
      readOnlyHint: false,
      destructiveHint: false,
      openWorldHint: false,
    },
  },
  run(given, call, { sessions }) {
    const read = readToolArguments(BindCredentialsBagInput, given)
    if (!read.ok) return read.refused
    const { credentials_bag: bag, session: handle } = read.value
    const found = sessionOfCall(sessions, call, handle)
    if ('kind' in found) return found
    const session = found.ensure()
    const headers = credentialHeaders(call.headers)
    const secrets = bag === undefined ? headers : secretsByProvider(bag)
    session.bag = new Map([...session.bag, ...secrets])
    const source = bag !== undefined ? 'arguments' : headers.size > 0 ? 'headers' : 'none'
    return toolAnswer({
      session: session.id,
      bound: [...session.bag.keys()].toSorted(),
      source,
      expires_at: new Date(session.expiresAt).toISOString(),
      next_actions: [
        secrets.size > 0
          ? {
              tool: 'execute',
              operation: 'connect_mcp',
              reason: 'connects to a tool server of a provider that is bound now',
            }
          : {
              tool: 'execute',
              operation: 'list_mcps',
              reason: 'shows which credentialKey each tool server takes',
            },
      ],
    })
  },
}
