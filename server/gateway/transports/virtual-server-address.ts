import { barePathOf } from '../../platform/http/direct-routes.ts'
import { fault } from '../../platform/fault.ts'
import type { VirtualServers } from '../../virtual-servers/virtual-servers.ts'
import { type GatewayCaller, type GatewayRequest, virtualServerOf } from '../authentication.ts'
import { invalidRequestCode, rpcRefusal } from './refusals.ts'

export const virtualServerPrefix = '/mcp/v/'

export type FindVirtualServer = VirtualServers['find']

/** A request whose caller is an account. */
interface AccountRequest extends GatewayRequest {
  readonly caller: Extract<GatewayCaller, { readonly kind: 'account' }>
}

/** Clients decide at their first request whether they need OAuth, so the door for accounts never lets strangers in. */
export function ofAccount(incoming: GatewayRequest): AccountRequest {
  const { caller } = incoming
  if (caller.kind === 'account') return { ...incoming, caller }
  throw fault('unauthorized', 'Connect by OAuth, or send an API key as Authorization: Bearer <API key>')
}

const addressForm = /^\/mcp\/v\/([a-z0-9-]{1,64})(?:\/(sse|messages))?$/

/** Returns the address to which clients of Streamable HTTP post. */
export function streamablePathOf(caller: GatewayCaller): string {
  const virtualServer = virtualServerOf(caller)
  return virtualServer === undefined ? '/mcp' : `${virtualServerPrefix}${virtualServer}`
}

/** Returns the address to which clients of HTTP with SSE post. */
export const messagesPathOf = (caller: GatewayCaller): string =>
  virtualServerOf(caller) === undefined ? '/messages' : `${streamablePathOf(caller)}/messages`

type Handle = (incoming: GatewayRequest) => Response | Promise<Response>

interface TransportHandlers {
  readonly streamable: Handle
  readonly sse: Handle
  readonly messages: Handle
}

const isTransport = (end: string): end is 'sse' | 'messages' => end === 'sse' || end === 'messages'

/**
 * Serves a virtual server at its own address: marks the caller as one who came there, and answers 404 where the account has
 * no virtual server of that name. Fault: `unauthorized` for strangers, whatever the name.
 */
export function createVirtualServerRoute(find: FindVirtualServer, handlers: TransportHandlers): Handle {
  return (incoming) => {
    const { caller, ...request } = ofAccount(incoming)
    const [, name, end = ''] = addressForm.exec(barePathOf(incoming.request.url)) ?? []
    if (name === undefined || find(caller.accountId, name) === null)
      return rpcRefusal(404, invalidRequestCode, 'There is no such virtual server')
    const handle = handlers[isTransport(end) ? end : 'streamable']
    return handle({ ...request, caller: { ...caller, virtualServer: name } })
  }
}
