import { loopbackNames } from './loopback-names.ts'

/**
 * What to put into the MCP clients that most people have, as their own documentation says it: the one source of the console's
 * Connect tab and of `deploy/agents.md`. A configuration never has a real key: a placeholder, or the name of a variable.
 */

/** The day on which the addresses below were read. */
export const clientsCheckedOn = '2026-11-23'

/** Stands for an API key in what is shown. */
export const apiKeyPlaceholder = 'YOUR_API_KEY'
/** Clients that read their key from the environment find it here. */
export const apiKeyVariable = 'GATEHOUSE_API_KEY'

export type SetupFormat = 'shell' | 'json' | 'toml' | 'yaml' | 'address'

export interface ClientSetup {
  /** Where it belongs, or what to do there. */
  readonly place: string
  readonly format: SetupFormat
  readonly text: string
  /** What is left to be done. */
  readonly next?: string
  /** Opens the client with all of it filled in. */
  readonly link?: string
  /** Where the client's maker says so. */
  readonly source: string
}

export interface AgentClientGuide {
  readonly id: string
  readonly title: string
  /** By OAuth, at the address for accounts. Null: the client cannot. */
  readonly byOAuth: (url: string) => ClientSetup
  /** With an API key, or without one for what is public. Null: the client sends no header of one's own. */
  readonly byKey: ((url: string, hasKey: boolean) => ClientSetup) | null
}

/** What the server is called in a client: a virtual server by its own name, so that several stand beside each other. */
const nameOf = (url: string): string => {
  const virtual = /\/mcp\/v\/([a-z0-9-]+)$/.exec(url)?.[1]
  return virtual === undefined ? 'gatehouse' : `gatehouse-${virtual}`
}
const bearer = `Bearer ${apiKeyPlaceholder}`
const json = (value: object): string => JSON.stringify(value, null, 2)
const withKey = (hasKey: boolean, value: string) => (hasKey ? { headers: { Authorization: value } } : {})
const setVariable = (hasKey: boolean) =>
  hasKey ? { next: `Set ${apiKeyVariable} to your API key in the environment in which it starts.` } : {}

const sources = {
  claudeCode: 'https://code.claude.com/docs/en/mcp',
  claudeConnectors:
    'https://support.claude.com/en/articles/11175166-getting-started-with-custom-connectors-using-remote-mcp',
  mcpRemote: 'https://www.npmjs.com/package/mcp-remote',
  chatGpt: 'https://developers.openai.com/api/docs/guides/custom-mcp-server',
  cursor: 'https://cursor.com/docs/mcp',
  vsCode: 'https://code.visualstudio.com/docs/copilot/reference/mcp-configuration',
  windsurf: 'https://docs.windsurf.com/windsurf/cascade/mcp',
  zed: 'https://zed.dev/docs/ai/mcp',
  goose: 'https://github.com/aaif-goose/goose/blob/main/documentation/docs/guides/config-files.md',
  codex: 'https://developers.openai.com/codex/mcp',
  gemini: 'https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md',
} as const

const claudeCode: AgentClientGuide = {
  id: 'claude-code',
  title: 'Claude Code',
  byOAuth: (url) => ({
    place: 'In a terminal',
    format: 'shell',
    text: `claude mcp add --transport http ${nameOf(url)} ${url}`,
    next: 'Then /mcp in Claude Code signs you in.',
    source: sources.claudeCode,
  }),
  byKey: (url, hasKey) => ({
    place: 'In a terminal',
    format: 'shell',
    text: [
      `claude mcp add --transport http ${nameOf(url)} ${url}`,
      ...(hasKey ? [`--header "Authorization: ${bearer}"`] : []),
    ].join(' \\\n  '),
    source: sources.claudeCode,
  }),
}

const claudeDesktop: AgentClientGuide = {
  id: 'claude-desktop',
  title: 'Claude Desktop',
  byOAuth: (url) => ({
    place: 'Under Customize, Connectors, +, Add custom connector (claude.ai and Claude Desktop)',
    format: 'address',
    text: url,
    next: 'Then Connect signs you in. Claude calls from its own network, so the address must be reachable by https from the internet.',
    source: sources.claudeConnectors,
  }),
  byKey: (url, hasKey) => ({
    place:
      'In claude_desktop_config.json (Settings, Developer, Edit config). It reaches the gateway by mcp-remote, which needs Node.js',
    format: 'json',
    text: mcpRemote(url, hasKey),
    source: sources.mcpRemote,
  }),
}

/** The space of the header stands in the environment: some systems take arguments apart at spaces. */
function mcpRemote(url: string, hasKey: boolean): string {
  const args = [
    '-y',
    'mcp-remote',
    url,
    ...(isPlainHttp(url) ? ['--allow-http'] : []),
    ...(hasKey ? ['--header', 'Authorization:${AUTHORIZATION}'] : []),
  ]
  const server = { command: 'npx', args, ...(hasKey && { env: { AUTHORIZATION: bearer } }) }
  return json({ mcpServers: { [nameOf(url)]: server } })
}

/** It refuses http for anything but this very machine, unless told otherwise. */
const isPlainHttp = (url: string): boolean =>
  url.startsWith('http:') && !loopbackNames.includes(new URL(url).hostname)

const chatGpt: AgentClientGuide = {
  id: 'chatgpt',
  title: 'ChatGPT',
  byOAuth: (url) => ({
    place: 'At chatgpt.com/plugins: +, Add custom MCP server, as Server URL, with OAuth as authentication',
    format: 'address',
    text: url,
    next: 'ChatGPT calls from its own network, so the address must be reachable by https from the internet.',
    source: sources.chatGpt,
  }),
  byKey: null,
}

const cursorPlace = 'In .cursor/mcp.json of a project, or ~/.cursor/mcp.json for all of them'

const cursor: AgentClientGuide = {
  id: 'cursor',
  title: 'Cursor',
  byOAuth: (url) => ({
    place: cursorPlace,
    format: 'json',
    text: json({ mcpServers: { [nameOf(url)]: { url } } }),
    link: `cursor://anysphere.cursor-deeplink/mcp/install?name=${nameOf(url)}&config=${encodeURIComponent(btoa(JSON.stringify({ url })))}`,
    source: sources.cursor,
  }),
  byKey: (url, hasKey) => ({
    place: cursorPlace,
    format: 'json',
    text: json({
      mcpServers: { [nameOf(url)]: { url, ...withKey(hasKey, `Bearer \${env:${apiKeyVariable}}`) } },
    }),
    ...setVariable(hasKey),
    source: sources.cursor,
  }),
}

const vsCodePlace = 'In .vscode/mcp.json of a project, or by MCP: Open User Configuration for all of them'

const vsCode: AgentClientGuide = {
  id: 'vs-code',
  title: 'VS Code',
  byOAuth: (url) => ({
    place: vsCodePlace,
    format: 'json',
    text: json({ servers: { [nameOf(url)]: { type: 'http', url } } }),
    link: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: nameOf(url), type: 'http', url }))}`,
    source: sources.vsCode,
  }),
  byKey: (url, hasKey) => ({
    place: vsCodePlace,
    format: 'json',
    text: vsCodeWithKey(url, hasKey),
    ...(hasKey && { next: 'VS Code asks for the key and keeps it apart from the file.' }),
    source: sources.vsCode,
  }),
}

function vsCodeWithKey(url: string, hasKey: boolean): string {
  const id = 'gatehouse-api-key'
  const server = { type: 'http', url, ...withKey(hasKey, `Bearer \${input:${id}}`) }
  const inputs = [{ type: 'promptString', id, description: 'API key of Gatehouse', password: true }]
  return json({ servers: { [nameOf(url)]: server }, ...(hasKey && { inputs }) })
}

/** Clients whose file is the same by OAuth and with a key, but for the header. */
const byFile = (
  about: Pick<AgentClientGuide, 'id' | 'title'>,
  { next, ...file }: Pick<ClientSetup, 'place' | 'format' | 'source'> & { next?: (url: string) => string },
  textOf: (url: string, hasKey: boolean) => string,
  keyThen: (hasKey: boolean) => Pick<ClientSetup, 'next'> = () => ({}),
): AgentClientGuide => ({
  ...about,
  byOAuth: (url) => ({ ...file, text: textOf(url, false), ...(next !== undefined && { next: next(url) }) }),
  byKey: (url, hasKey) => ({ ...file, text: textOf(url, hasKey), ...keyThen(hasKey) }),
})

const windsurf = byFile(
  { id: 'windsurf', title: 'Windsurf' },
  { place: 'In ~/.codeium/windsurf/mcp_config.json', format: 'json', source: sources.windsurf },
  (serverUrl, hasKey) =>
    json({
      mcpServers: {
        [nameOf(serverUrl)]: { serverUrl, ...withKey(hasKey, `Bearer \${env:${apiKeyVariable}}`) },
      },
    }),
  setVariable,
)

const zed = byFile(
  { id: 'zed', title: 'Zed' },
  {
    place: 'In the settings file (zed: open settings file)',
    format: 'json',
    next: () => 'Zed asks you to sign in.',
    source: sources.zed,
  },
  (url, hasKey) => json({ context_servers: { [nameOf(url)]: { url, ...withKey(hasKey, bearer) } } }),
)

const goose = byFile(
  { id: 'goose', title: 'Goose' },
  { place: 'Under extensions in ~/.config/goose/config.yaml', format: 'yaml', source: sources.goose },
  (url, hasKey) =>
    [
      'extensions:',
      `  ${nameOf(url)}:`,
      '    type: streamable_http',
      `    name: ${nameOf(url)}`,
      '    enabled: true',
      `    uri: '${url}'`,
      ...(hasKey ? ['    headers:', `      Authorization: '${bearer}'`] : ['    headers: {}']),
      '    env_keys: []',
      '    envs: {}',
      '    timeout: 300',
    ].join('\n'),
)

const codex = byFile(
  { id: 'codex', title: 'Codex' },
  {
    place: 'In ~/.codex/config.toml, which the command line and the extension for editors share',
    format: 'toml',
    next: (url) => `Then codex mcp login ${nameOf(url)} signs you in.`,
    source: sources.codex,
  },
  (url, hasKey) =>
    [
      `[mcp_servers.${nameOf(url)}]`,
      `url = "${url}"`,
      ...(hasKey ? [`bearer_token_env_var = "${apiKeyVariable}"`] : []),
    ].join('\n'),
  setVariable,
)

const gemini = byFile(
  { id: 'gemini-cli', title: 'Gemini CLI' },
  {
    place: 'In ~/.gemini/settings.json, or .gemini/settings.json of a project',
    format: 'json',
    next: (url) => `Then /mcp auth ${nameOf(url)} in Gemini CLI signs you in.`,
    source: sources.gemini,
  },
  (httpUrl, hasKey) => json({ mcpServers: { [nameOf(httpUrl)]: { httpUrl, ...withKey(hasKey, bearer) } } }),
)

/** In the order in which they are shown. */
export const agentClientGuides: readonly AgentClientGuide[] = [
  claudeCode,
  claudeDesktop,
  chatGpt,
  cursor,
  vsCode,
  windsurf,
  zed,
  goose,
  codex,
  gemini,
]

/** For clients that are not among them: most read this form. */
export const otherClient = (url: string, hasKey: boolean): string =>
  json({ mcpServers: { [nameOf(url)]: { type: 'http', url, ...withKey(hasKey, bearer) } } })
