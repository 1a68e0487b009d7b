import { BindCredentialsBagInput, BindCredentialsBagOutput } from '../../../shared/gateway.ts'
import { secretsByProvider, credentialHeaders } from '../operations/downstream-call.ts'
import { boundActions, unknownProviders } from '../operations/bound-actions.ts'
import { listMcpsAction } from '../next-actions.ts'
import { toolAnswer, readToolArguments } from '../tool-result.ts'
import { inputSchemaOf, outputSchemaOf } from './json-schemas.ts'
import { sessionOfCall, withSession } from './session-of-call.ts'
import type { GatewayTool } from './tool.ts'

export const bindCredentialsBag: GatewayTool = {
  definition: {
    name: 'bind_credentials_bag',
    title: 'Bind credentials',
    description:
      'Binds secrets for tool servers to this session: credentials_bag, else the x-gateway-cred-<provider> headers of the request. They replace earlier ones of the same provider, are never shown, and end with the session.',
    inputSchema: inputSchemaOf(BindCredentialsBagInput),
    outputSchema: outputSchemaOf(BindCredentialsBagOutput),
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  },
  run(given, call, { registry, sessions }) {
    const read = readToolArguments(BindCredentialsBagInput, given, [listMcpsAction])
    if (!read.ok) return read.refused
    const { credentials_bag: bag, session: handle } = read.value
    const found = sessionOfCall(sessions, call, handle)
    if ('kind' in found) return found
    const session = found.ensure()
    const headers = credentialHeaders(call.headers)
    const secrets = bag === undefined ? headers : secretsByProvider(bag)
    session.bag = new Map([...session.bag, ...secrets])
    const source = bag !== undefined ? 'arguments' : headers.size > 0 ? 'headers' : 'none'
    const listed = registry.mcpServers()
    const unknown = unknownProviders([...secrets.keys()], listed)
    const answer = toolAnswer({
      session: session.id,
      bound: [...session.bag.keys()].toSorted(),
      source,
      expires_at: new Date(session.expiresAt).toISOString(),
      next_actions: boundActions([...session.bag.keys()], listed, unknown),
    })
    return withSession(answer, call, found, sessions)
  },
}
