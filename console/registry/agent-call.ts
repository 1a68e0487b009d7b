import type { RegistryEntry } from '../../shared/registry.ts'

/** How an agent comes to use a service, as calls of the gateway's tools. */
export function agentCalls({
  service_id,
  chain,
  mcp,
}: Pick<RegistryEntry, 'service_id' | 'chain' | 'mcp'>): string {
  if (mcp === null) {
    return [
      call('execute', { service_id, operation: 'get_details', arguments: { chain } }),
      call('execute', { service_id, operation: 'open_actions', arguments: { chain } }),
    ].join('\n\n')
  }
  const key = mcp.credentialKey ?? 'provider'
  const bind = mcp.authRequired
    ? [call('bind_credentials_bag', { credentials_bag: { [key]: '<your token or key>' } })]
    : []
  return [
    ...bind,
    call('execute', { service_id, operation: 'connect_mcp', arguments: { chain } }),
    call('execute', { service_id, operation: 'list_mcp_tools', arguments: { chain } }),
    call('execute', {
      service_id,
      operation: 'call_mcp_tool',
      arguments: { chain, tool_name: '<a tool of the list>', arguments: {} },
    }),
  ].join('\n\n')
}

const call = (tool: string, given: object): string => `${tool}\n${JSON.stringify(given, null, 2)}`
