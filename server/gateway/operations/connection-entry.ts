import type { ConnectionView } from '../../../shared/connections.ts'
import type { ConnectionEntry } from '../../../shared/gateway.ts'

/** Converts a connection to the field names of the gateway's payloads. */
export const connectionEntry = (view: ConnectionView): ConnectionEntry => ({
  connection_id: view.id,
  kind: view.kind,
  service_id: view.serviceId,
  chain: view.chain,
  category: view.category,
  provider: view.provider,
  name: view.name,
  mcpEndpoint: view.endpoint,
  transportType: view.transport,
  authType: view.authType,
  auth_source: view.authSource,
  status: view.status,
  label: view.label,
  created_at: instant(view.createdAt),
  last_used_at: instant(view.lastUsedAt),
  changed_tools: view.changedTools,
})

const instant = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())
