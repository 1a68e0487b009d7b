import { barePathOf } from '../../platform/http/direct-routes.ts'
import { type PublicAddress, askedOrigin } from '../../platform/http/public-address.ts'
import { leastScopeOf, metadataPath, resourceAt } from '../../platform/http/token-doors.ts'
import { onlyMethods } from './refusals.ts'

const resourcePath =
  /^(?:|\/mcp|\/mcp\/account|\/mcp\/c\/[\w:.-]{1,200}|\/mcp\/v\/[a-z0-9-]{1,64}|\/sse|\/account)$/

/** Answers a request below `metadataPath`; null where there is no resource. */
export function answerMetadata(request: Request, address: PublicAddress): Response | null {
  // It is the same whether there is such a connection or virtual server, which is its owner's to know.
  const path = resourceAt(barePathOf(request.url).slice(metadataPath.length))
  if (!resourcePath.test(path)) return null
  if (request.method !== 'GET' && request.method !== 'HEAD') return onlyMethods('GET, HEAD')
  return resourceMetadata(askedOrigin(request.headers, address), path, address.isTls || address.isLoopback)
}

/** Returns the metadata of one resource. Where OAuth is not offered it names no authorization server, and API keys are left. */
const resourceMetadata = (origin: string, path: string, hasOAuth: boolean): Response =>
  Response.json(
    {
      resource: `${origin}${path}`,
      ...(hasOAuth && { authorization_servers: [origin] }),
      resource_name: 'Gatehouse',
      scopes_supported: [leastScopeOf(path)],
      bearer_methods_supported: ['header'],
      resource_documentation: `${origin}/reference`,
    },
    {
      headers: {
        'cache-control': 'public, max-age=300',
        // Clients in browsers ask for it before they know where to go.
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      },
    },
  )
