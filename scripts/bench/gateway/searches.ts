/** Searches as agents make them, all different: words, mostly of one chain, often of one category. */
export function searches(count: number, chains: readonly string[]): string[] {
  return Array.from({ length: count }, (_, turn) => bodyOf(turn, searchAt(turn, chains)))
}

const words = [
  'archive',
  'rpc',
  'explorer',
  'free',
  'wallet',
  'bridge',
  'oracle',
  'node',
  'api',
  'data',
  'swap',
]
const categories = ['apis', 'explorers', 'wallets', 'bridges', 'oracles', 'mcpservers', undefined, undefined]

/** The lengths of the lists have no common factor, so that each place in all of them comes once. */
function searchAt(turn: number, chains: readonly string[]): object {
  const query = `${words[turn % words.length]} ${words[Math.floor(turn / words.length) % words.length]}`
  const offset = Math.floor(turn / 1_000)
  return {
    query,
    chain: chains[turn % chains.length],
    category: categories[turn % categories.length],
    offset,
  }
}

const bodyOf = (id: number, search: object): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'search', arguments: search, _meta: meta },
  })

const protocolVersion = '2026-07-28'

const meta = {
  'io.modelcontextprotocol/protocolVersion': protocolVersion,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** Of each search. */
export const searchHeaders = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': protocolVersion,
  'mcp-method': 'tools/call',
  'mcp-name': 'search',
}
