/** Calls of tools as clients of protocol 2026-07-28 send them, without an SDK. */
const protocolVersion = '2026-07-28'

export const statelessMeta = {
  'io.modelcontextprotocol/protocolVersion': protocolVersion,
  'io.modelcontextprotocol/clientInfo': { name: 't', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

export const statelessHeaders = (tool: string) => ({
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': protocolVersion,
  'mcp-method': 'tools/call',
  'mcp-name': tool,
})

export const statelessCall = (tool: string, given: object, meta: object = {}) => ({
  jsonrpc: '2.0',
  id: 'a"1',
  method: 'tools/call',
  params: { name: tool, arguments: given, _meta: { ...statelessMeta, ...meta } },
})

/** `more` replaces what is sent besides, such as headers of its own. */
export const postCall = (url: string, body: unknown, headers: HeadersInit, more: RequestInit = {}) =>
  fetch(url, { method: 'POST', headers, body: JSON.stringify(body), ...more })
