import { loopbackNames } from '../../shared/loopback-names.ts'

/** Stands for an API key in what is shown. */
export const apiKeyPlaceholder = 'YOUR_API_KEY'

export type GatewayTransport = 'http' | 'sse'

/** What a configuration is made of. */
export interface ClientChoice {
  readonly url: string
  readonly transport: GatewayTransport
  /** For saved connections; what is public needs none. */
  readonly hasKey: boolean
}

export interface ClientConfig {
  readonly id: 'claude-code' | 'claude-desktop' | 'cursor' | 'vs-code' | 'json'
  readonly title: string
  /** Where it belongs. */
  readonly place: string
  readonly text: string
}

const authorization = `Bearer ${apiKeyPlaceholder}`

/** The gateway's configuration for the clients that most people use. */
export const clientConfigs = (choice: ClientChoice): ClientConfig[] => [
  { id: 'claude-code', title: 'Claude Code', place: 'In a terminal', text: claudeCode(choice) },
  {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    place:
      'In claude_desktop_config.json (Settings, Developer, Edit config). It reaches the gateway by mcp-remote, which needs Node.js',
    text: claudeDesktop(choice),
  },
  {
    id: 'cursor',
    title: 'Cursor',
    place: 'In .cursor/mcp.json of a project, or ~/.cursor/mcp.json for all of them',
    text: json({ mcpServers: { gatehouse: { url: choice.url, ...headers(choice) } } }),
  },
  { id: 'vs-code', title: 'VS Code', place: 'In .vscode/mcp.json of a project', text: vsCode(choice) },
  {
    id: 'json',
    title: 'Other',
    place: 'Most other clients read this form',
    text: json({
      mcpServers: { gatehouse: { type: choice.transport, url: choice.url, ...headers(choice) } },
    }),
  },
]

const json = (value: object): string => JSON.stringify(value, null, 2)

const headers = ({ hasKey }: ClientChoice) => (hasKey ? { headers: { Authorization: authorization } } : {})

const claudeCode = ({ url, transport, hasKey }: ClientChoice): string =>
  [
    `claude mcp add --transport ${transport} gatehouse ${url}`,
    ...(hasKey ? [`--header "Authorization: ${authorization}"`] : []),
  ].join(' \\\n  ')

/** The space of the header stands in the environment: some systems take arguments apart at spaces. */
function claudeDesktop({ url, transport, hasKey }: ClientChoice): string {
  const args = [
    '-y',
    'mcp-remote',
    url,
    ...(transport === 'sse' ? ['--transport', 'sse-only'] : []),
    ...(isPlainHttp(url) ? ['--allow-http'] : []),
    ...(hasKey ? ['--header', 'Authorization:${AUTHORIZATION}'] : []),
  ]
  const gatehouse = { command: 'npx', args, ...(hasKey && { env: { AUTHORIZATION: authorization } }) }
  return json({ mcpServers: { gatehouse } })
}

/** It refuses http for anything but this very machine, unless told otherwise. */
const isPlainHttp = (url: string): boolean =>
  url.startsWith('http:') && !loopbackNames.includes(new URL(url).hostname)

/** It asks for the key and keeps it apart from the file, which projects share. */
function vsCode({ url, transport, hasKey }: ClientChoice): string {
  const id = 'gatehouse-api-key'
  const server = {
    type: transport,
    url,
    ...(hasKey && { headers: { Authorization: `Bearer \${input:${id}}` } }),
  }
  const inputs = [{ type: 'promptString', id, description: 'API key of Gatehouse', password: true }]
  return json({ servers: { gatehouse: server }, ...(hasKey && { inputs }) })
}
