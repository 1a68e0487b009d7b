import type { Gatehouse } from '../compose.ts'
import { programs } from '../../shared/programs.ts'

/** What a person needs next. */
export async function greeting({ installation, accounts, file, health }: Gatehouse): Promise<string> {
  const url = installation.address()
  const setupLink = await accounts.setupLink()
  const services = health.services.list().length
  const lines = [
    `Gatehouse is up at ${url}`,
    '',
    ...(setupLink === null
      ? [`  Console         ${url}`]
      : [`  First operator  ${setupLink}`, '                  opens the console; works once, for a day']),
    `  API reference   ${url}/reference`,
    `  For agents      ${url}/mcp (MCP over Streamable HTTP), ${url}/sse (MCP over SSE)`,
    `  Try it          curl ${url}/health/my-service`,
    `  Services        ${services} registered` +
      (file.exists ? ` (${file.path})` : `; write a ${file.path} or run`),
    ...(file.exists ? [] : [`                  ${programs.commandLine} services add --help`]),
    '',
    'Ctrl-C stops it.',
    '',
  ]
  return lines.join('\n')
}
