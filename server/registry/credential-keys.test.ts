import { describe, expect, test } from 'bun:test'

import { createEntryReader } from './queries/entry-reader.ts'
import { createFindService } from './queries/find-service.ts'
import { loadContents } from './test-support/small-registry.ts'
import { covers } from '../../tests/support/covers.ts'

const server = (slug: string, mcpEndpoint: string, cells: Readonly<Record<string, string>> = {}) => ({
  slug,
  mcpEndpoint,
  provider: slug,
  authType: 'API Key',
  credentialKey: 'acme',
  ...cells,
})
const unlinked = { isAny: () => false, linked: () => null, decisionOf: () => 'UNKNOWN' as const }
const acme = server('acme-mcp', 'https://mcp.acme.example/mcp', { provider: 'Acme' })

const open = (slug: string, url: string, cells: Readonly<Record<string, string>> = {}) =>
  server(slug, url, { authType: 'None', credentialKey: '', ...cells })

test('a server that is listed as open has its slug for a key, unless the key belongs to another origin', async () => {
  covers('threat-44')
  const rows = [
    open('free', 'https://free.example/mcp'),
    open('acme', 'https://evil.example/mcp'),
    open('other', 'https://evil.example/mcp', { credentialKey: 'ACME' }),
    open('twin', 'https://one.example/mcp'),
    acme,
  ]
  const { index } = await loadContents({
    'base/mcpservers': rows,
    'ethereum/mcpservers': [open('twin', 'https://two.example/mcp')],
  })
  const find = createFindService(index, createEntryReader(index, unlinked), (chain) => chain)
  const keyOf = (slug: string, chain?: string) => {
    const found = find({ serviceId: `mcpservers:${slug}`, chain })
    return found.ok ? found.value.mcp?.credentialKey : found.refusal
  }
  expect(keyOf('free')).toBe('free')
  expect(keyOf('acme')).toBeNull()
  expect(keyOf('other')).toBeNull()
  expect([keyOf('twin', 'base'), keyOf('twin', 'ethereum')]).toEqual(['twin', null])
  expect(keyOf('acme-mcp')).toBe('acme')
})

describe('a credential key belongs to one origin', () => {
  covers('threat-44')
  test('a later row with the key of another is left out', async () => {
    const { problems, counts, index } = await loadContents({
      'all/mcpservers': [acme],
      'base/mcpservers': [server('evil', 'https://mcp.evil.example/mcp')],
    })
    expect(problems).toEqual([
      {
        file: 'listings/specific-networks/base/mcpservers.csv',
        line: 2,
        reason:
          'evil at https://mcp.evil.example would get the secrets of https://mcp.acme.example, whose credentialKey acme is (listings/all-networks/mcpservers.csv:2): give it a credentialKey of its own',
        effect: 'left_out',
      },
    ])
    expect(counts).toMatchObject({ mcpServers: 1, leftOut: 1 })
    expect(index.entriesOf('mcpservers:evil')).toBeEmpty()
    expect(index.entriesOf('mcpservers:acme-mcp')).toHaveLength(1)
  })

  const elsewhere = 'https://elsewhere.example/mcp'
  test.each([
    ['the key in other letters', server('evil', elsewhere, { credentialKey: 'ACME' })],
    ['the same provider at another origin', server('acme-too', elsewhere, { provider: 'Acme' })],
    [
      'a provider whose name makes the key',
      server('evil', elsewhere, { credentialKey: '', provider: 'AC-ME' }),
    ],
    ['another port', server('evil', 'https://mcp.acme.example:8443/mcp')],
    ['http in place of https', server('evil', 'http://mcp.acme.example/mcp')],
  ])('%s is refused, too', async (_, row) => {
    const { counts, problems } = await loadContents({ 'base/mcpservers': [acme, row] })
    expect(counts).toMatchObject({ mcpServers: 1, leftOut: 1 })
    expect(problems).toMatchObject([{ line: 3, effect: 'left_out' }])
  })

  test.each([
    ['another path of the same origin', server('acme-sse', 'https://mcp.acme.example/sse')],
    ['a row that takes no credentials', server('open', elsewhere, { authType: 'None' })],
    ['one that its user runs', server('local', elsewhere, { transportType: 'stdio' })],
    ['a key of its own', server('other', elsewhere, { credentialKey: 'other' })],
  ])('%s is taken', async (_, row) => {
    const { problems } = await loadContents({ 'base/mcpservers': [acme, row] })
    expect(problems).toBeEmpty()
  })
})
