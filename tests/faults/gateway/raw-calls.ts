/** Calls without an SDK, to one process by its address. */

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

const keyHeader = (apiKey: string | undefined): Record<string, string> =>
  apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }

/** Requests of one session that are under way at once have ids of their own. */
let lastId = 0

function post(
  address: string,
  body: object,
  headers: Record<string, string>,
  signal: AbortSignal | null = null,
): Promise<Response> {
  return fetch(address, {
    method: 'POST',
    headers: { ...json, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: ++lastId, ...body }),
    signal,
  })
}

/** Begins a session of 2025; gives its id. */
export const openSession = (url: string, apiKey?: string): Promise<string> =>
  openSessionAt(`${url}/mcp`, apiKey)

/** Likewise, at another address than `/mcp`. */
export async function openSessionAt(address: string, apiKey?: string): Promise<string> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  }
  const response = await post(address, { method: 'initialize', params }, keyHeader(apiKey))
  await response.text()
  const id = response.headers.get('mcp-session-id')
  if (id === null) throw new Error(`no session: ${response.status}`)
  return id
}

/** Opens the stream of a session on which only the server speaks. */
export const openStream = (address: string, session: string): Promise<Response> =>
  fetch(address, { headers: { accept: 'text/event-stream', 'mcp-session-id': session } })

export const listToolsRaw = (url: string, session: string, apiKey?: string): Promise<Response> =>
  post(`${url}/mcp`, { method: 'tools/list' }, { ...keyHeader(apiKey), 'mcp-session-id': session })

/** A tool in a session of 2025. */
export const callToolRaw = (
  url: string,
  session: string,
  name: string,
  args: object,
  apiKey?: string,
): Promise<Response> =>
  post(
    `${url}/mcp`,
    { method: 'tools/call', params: { name, arguments: args } },
    { ...keyHeader(apiKey), 'mcp-session-id': session },
  )

interface ModernCall {
  readonly tool: string
  readonly args: object
  readonly apiKey?: string
  readonly signal?: AbortSignal
}

/** A tool in the era of 2026. */
export function callModern(url: string, { tool, args, apiKey, signal }: ModernCall): Promise<Response> {
  const version = '2026-07-28'
  const headers = { 'mcp-protocol-version': version, 'mcp-method': 'tools/call', 'mcp-name': tool }
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = { name: tool, arguments: args, _meta: meta }
  return post(`${url}/mcp`, { method: 'tools/call', params }, { ...headers, ...keyHeader(apiKey) }, signal)
}

/** Begins a session as clients of 2026 do; gives its id. */
export async function openHandle(url: string, apiKey?: string, bag: object = {}): Promise<string> {
  const args = { credentials_bag: bag }
  const call = { tool: 'bind_credentials_bag', args }
  const response = await callModern(url, apiKey === undefined ? call : { ...call, apiKey })
  const { result } = (await response.json()) as { result: { structuredContent: { session: string } } }
  return result.structuredContent.session
}
