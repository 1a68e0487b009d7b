import { expect, test } from 'bun:test'

import { agentCalls } from './agent-call.ts'

const mcp = {
  mcpEndpoint: 'https://a.example/mcp',
  transportType: 'http',
  authType: 'API Key',
  authRequired: true,
  credentialKey: 'acme',
} as const

test('a tool server is bound, connected and called', () => {
  const text = agentCalls({ service_id: 'mcpservers:acme', chain: 'base', mcp })
  expect([...text.matchAll(/"operation": "(\w+)"/g)].map(([, operation]) => operation)).toEqual([
    'connect_mcp',
    'list_mcp_tools',
    'call_mcp_tool',
  ])
  expect(text).toStartWith('bind_credentials_bag')
  expect(text).toContain('"acme": "<your token or key>"')
})

test('one that wants no credentials needs no binding, and everything else has details', () => {
  expect(
    agentCalls({ service_id: 'm:a', chain: 'base', mcp: { ...mcp, authRequired: false } }),
  ).not.toContain('bind_')
  expect(agentCalls({ service_id: 'apis:a', chain: 'base', mcp: null })).toContain('get_details')
})
