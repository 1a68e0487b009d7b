import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { waitUntil } from './wait-until.ts'
import { temporaryDataDir } from './database.ts'
import { connectClient } from './mcp-clients.ts'

/** A tool server as a registry lists it. */
interface ListedToolServer {
  readonly slug: string
  readonly provider: string
  readonly url: string
  readonly transport?: 'http' | 'sse'
  /** As registries write it: `None`, `API Key`, `OAuth/PAT`. */
  readonly auth?: string
  readonly credentialKey?: string
  readonly chains: readonly string[]
}

const meta = join(import.meta.dir, '../../server/registry/own-snapshot/meta')
const offerColumns =
  'slug,provider,actionButtons,transportType,mcpEndpoint,authType,credentialKey,description'

/** Writes the files of a registry with an API on two chains, and these tool servers; returns its folder. */
export function writeRegistry(servers: readonly ListedToolServer[]): string {
  const root = temporaryDataDir()
  const write = (path: string, lines: readonly string[]): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), `${lines.join('\n')}\n`)
  }
  cpSync(meta, join(root, 'meta'), { recursive: true })
  write('references/providers/providers.csv', [
    'slug,name,website',
    'acme,Acme,https://acme.example/',
    ...servers.map(
      ({ provider }) => `${provider.toLowerCase()},${provider},https://${provider.toLowerCase()}.example/`,
    ),
  ])
  write('references/offers/apis.csv', [
    'slug,provider,actionButtons,planType,description',
    'acme-rpc,Acme,"[""[Docs](https://acme.example/docs)"", ""[Bad](javascript:alert(1))""]",Free,Archive RPC nodes',
  ])
  write('references/offers/mcpservers.csv', [offerColumns, ...servers.map(offerOf)])
  const chains = new Set(['base', 'ethereum', ...servers.flatMap((server) => server.chains)])
  for (const chain of chains) {
    const folder = `listings/specific-networks/${chain}`
    write(`${folder}/apis.csv`, ['slug,offer,chain', 'acme-rpc,!offer:acme-rpc,mainnet'])
    const listed = servers.filter((server) => server.chains.includes(chain))
    write(`${folder}/mcpservers.csv`, ['slug,offer', ...listed.map(({ slug }) => `${slug},!offer:${slug}`)])
  }
  return root
}

const offerOf = ({
  slug,
  provider,
  url,
  transport = 'http',
  auth = 'None',
  credentialKey = '',
}: ListedToolServer) =>
  `${slug},${provider},"[""[Docs](${url}/docs)""]",${transport},${url},${auth},${credentialKey},Tools of ${provider}`

/** A registry that the file names comes into force a moment after the start. */
export async function untilListed(url: string, serviceId: string): Promise<void> {
  await waitUntil(`${serviceId} is listed`, async () => {
    const client = await connectClient('v2 2026 http', url)
    const { isError } = await client.execute('get_details', {}, serviceId)
    await client.close()
    return !isError
  })
}
