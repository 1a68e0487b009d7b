/** RFC 9728: what the gateway is, and how one authenticates to it. */
export const metadataPath = '/.well-known/oauth-protected-resource'

/** Keys are made in the console and not by an authorization server, so none is named. */
export const resourceMetadata = (origin: string): Response =>
  Response.json(
    {
      resource: `${origin}/mcp`,
      resource_name: 'Gatehouse',
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
