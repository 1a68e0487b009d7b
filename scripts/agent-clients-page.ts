import { writeFileSync } from 'node:fs'

import {
  type ClientSetup,
  agentClientGuides,
  apiKeyPlaceholder,
  apiKeyVariable,
  clientsCheckedOn,
} from '../shared/agent-clients.ts'

/**
 * Writes `deploy/agents.md` from the list that the console shows: `sh scripts/bun.sh scripts/agent-clients-page.ts`.
 */

const page = 'deploy/agents.md'
const installation = 'https://gatehouse.example'

const languages: Readonly<Record<ClientSetup['format'], string>> = {
  shell: 'sh',
  json: 'json',
  toml: 'toml',
  yaml: 'yaml',
  address: 'text',
}

const sectionOf = (title: string, { place, format, text, next, source }: ClientSetup): string =>
  [
    `**${title}.** ${place}:`,
    `\`\`\`${languages[format]}\n${text}\n\`\`\``,
    `${next === undefined ? '' : `${next} `}([documentation](${source}))`,
  ].join('\n\n')

/** The whole page. */
export const agentClientsPage = (): string =>
  `${[
    '# Connecting agents',
    `What to put into an MCP client. The console shows the same with the address of your installation (Gateway, Connect an agent). This page is written by \`scripts/agent-clients-page.ts\`; the documentation of each client was read on ${clientsCheckedOn}.`,
    `By OAuth an agent brings you to the console, where you agree to what it may do, and needs nothing else. That works by https and on loopback addresses. With an API key (permission Gateway Use) put it in the place of \`${apiKeyPlaceholder}\`, or into the variable \`${apiKeyVariable}\` where a client reads it there. Without either an agent uses what is public, at \`/mcp\`.`,
    ...agentClientGuides.flatMap(({ title, byOAuth, byKey }) => [
      `## ${title}`,
      sectionOf('By OAuth', byOAuth(`${installation}/mcp/account`)),
      byKey === null
        ? '**With an API key:** not possible, since it sends no header of yours.'
        : sectionOf('With an API key', byKey(`${installation}/mcp`, true)),
    ]),
  ].join('\n\n')}\n`

if (import.meta.main) writeFileSync(page, agentClientsPage())
