import { expect, test } from 'bun:test'

import { findServer, serverOptions } from './playground-servers.ts'

const open = {
  id: 'public::base::mcpservers:docs',
  kind: 'public',
  serviceId: 'mcpservers:docs',
  label: null,
  name: 'Docs',
} as const
const saved = {
  id: 'con_1',
  kind: 'saved',
  serviceId: 'mcpservers:acme',
  label: 'Team',
  name: 'Acme',
} as const

test('one’s own connections come first', () => {
  expect(serverOptions([open, saved]).map(({ label }) => label)).toEqual([
    'Choose a tool server',
    'Team – your connection',
    'Docs',
  ])
})

test('public servers of one name are told apart by their plans and networks', () => {
  const other = { ...open, id: 'public::base::mcpservers:docs-pro', serviceId: 'mcpservers:docs-pro' }
  const elsewhere = { ...open, id: 'x', name: 'Maps', networks: ['Base', 'Ethereum', 'Solana'] }
  const labels = serverOptions([open, { ...other, networks: ['Base'] }, elsewhere]).map(({ label }) => label)
  expect(labels.slice(1)).toEqual([
    'Docs (docs)',
    'Docs (docs-pro) on Base',
    'Maps on Base and 2 other networks',
  ])
})

test('a tool server is found by its connection and by its service', () => {
  expect(findServer([open, saved], 'con_1')).toBe(saved)
  expect(findServer([open, saved], 'mcpservers:docs')).toBe(open)
  expect(findServer([open, saved], '')).toBeUndefined()
  expect(findServer([open, saved], 'mcpservers:other')).toBeUndefined()
})
