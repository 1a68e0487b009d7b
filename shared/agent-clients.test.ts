import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'

import { parse as parseYaml } from 'yaml'

import { agentClientsPage } from '../scripts/agent-clients-page.ts'
import {
  type ClientSetup,
  type SetupFormat,
  agentClientGuides,
  apiKeyPlaceholder,
  apiKeyVariable,
  otherClient,
} from './agent-clients.ts'

const url = 'https://gate.example/mcp/account'

/** The words of a command as a shell takes them apart. */
async function wordsOf(command: string): Promise<string[]> {
  const child = Bun.spawn(['sh', '-c', `for word in ${command}; do printf '%s\\n' "$word"; done`], {
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  expect(errors).toBe('')
  return out.trimEnd().split('\n')
}

const parsers: Readonly<Record<SetupFormat, (text: string) => unknown>> = {
  shell: wordsOf,
  json: (text) => JSON.parse(text),
  toml: (text) => Bun.TOML.parse(text),
  yaml: (text) => parseYaml(text),
  address: (text) => new URL(text).href,
}

/** Every text of a value that was parsed. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [String(value)]

const setups: readonly (readonly [string, ClientSetup])[] = agentClientGuides.flatMap(
  ({ title, byOAuth, byKey }) => [
    [`${title} by OAuth`, byOAuth(url)] as const,
    ...(byKey === null
      ? []
      : [true, false].map((hasKey) => [`${title}, key ${hasKey}`, byKey(url, hasKey)] as const)),
  ],
)

test('each client of the list has a way in by OAuth', () => {
  expect(agentClientGuides.map(({ id }) => id)).toEqual([
    'claude-code',
    'claude-desktop',
    'chatgpt',
    'cursor',
    'vs-code',
    'windsurf',
    'zed',
    'goose',
    'codex',
    'gemini-cli',
  ])
})

describe.each(setups)('%s', (name, { format, text, link, source }) => {
  test('is of its format, and has the address of the installation', async () => {
    expect(textsIn(await parsers[format](text))).toContain(url)
    expect(new URL(source).protocol).toBe('https:')
  })

  test('never has a key, but where there is to be one says so', () => {
    expect(`${text}${link}`).not.toMatch(/g[a-z]{2}_/)
    const asks = [apiKeyPlaceholder, apiKeyVariable, 'gatehouse-api-key'].some((one) => text.includes(one))
    expect(asks).toBe(name.endsWith('key true'))
  })
})

test('links that open a client hold the same as its file', () => {
  const linkOf = (id: string) =>
    new URL(agentClientGuides.find((guide) => guide.id === id)?.byOAuth(url).link ?? '')
  const { searchParams } = linkOf('cursor')
  expect(JSON.parse(atob(searchParams.get('config') ?? ''))).toEqual({ url })
  expect(JSON.parse(decodeURIComponent(linkOf('vs-code').search.slice(1)))).toEqual({
    name: 'gatehouse',
    type: 'http',
    url,
  })
})

const textOf = (id: string, at: string) =>
  agentClientGuides.find((guide) => guide.id === id)?.byKey?.(at, true).text ?? ''

test('VS Code asks for the key, and mcp-remote is told when the way is not encrypted', () => {
  const { servers, inputs } = JSON.parse(textOf('vs-code', url))
  expect(servers.gatehouse.headers).toEqual({ Authorization: 'Bearer ${input:gatehouse-api-key}' })
  expect(inputs[0]).toMatchObject({ id: 'gatehouse-api-key', password: true })
  expect(textOf('claude-desktop', 'http://gate.example/mcp')).toContain('--allow-http')
  expect(textOf('claude-desktop', 'http://127.0.0.1:8080/mcp')).not.toContain('--allow-http')
})

test('other clients get the form that most read', () => {
  expect(JSON.parse(otherClient(url, false)).mcpServers.gatehouse).toEqual({ type: 'http', url })
  expect(otherClient(url, true)).toContain(`Bearer ${apiKeyPlaceholder}`)
})

test('the page of documentation is written from the same list', () => {
  expect(readFileSync('deploy/agents.md', 'utf8')).toBe(agentClientsPage())
})

test('a virtual server stands beside the others under a name of its own', () => {
  const virtual = 'https://gate.example/mcp/v/research'
  for (const { byOAuth, byKey } of agentClientGuides)
    for (const { text, format } of [byOAuth(virtual), byKey?.(virtual, true) ?? byOAuth(virtual)])
      expect(format === 'address' || text.includes('gatehouse-research')).toBe(true)
  expect(Object.keys(JSON.parse(otherClient(virtual, true)).mcpServers)).toEqual(['gatehouse-research'])
})
