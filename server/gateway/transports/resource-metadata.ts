/** The path of the protected-resource metadata (RFC 9728). */
export const metadataPath = '/.well-known/oauth-protected-resource'

/** Returns the metadata. It names no authorization server, because keys are created in the console. */
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
