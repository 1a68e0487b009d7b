import type { ConnectionView } from '../../../shared/connections.ts'
import type { ConnectionEntry } from '../../../shared/gateway.ts'
import {
  type NextActions,
  connectAgain,
  detailsAction,
  listMcpsAction,
  toolsOfConnection,
} from '../next-actions.ts'

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

/** Returns false where a call is known to be refused. Its owner's consent is asked for where it is missing. */
export const isUsableConnection = ({ status, authType, authSource }: ConnectionView): boolean =>
  status !== 'service_gone' &&
  status !== 'origin_changed' &&
  status !== 'auth_required' &&
  (authType === 'none' || authSource !== 'none')

/**
 * Returns what can be done with a connection: use it, or look for what it lacks, where the call is known to be refused.
 */
export function usesOfConnection(view: ConnectionView): NextActions {
  const { id, kind, serviceId, chain, status } = view
  if (status === 'service_gone') return [listMcpsAction]
  if (!isUsableConnection(view)) return [detailsAction({ service_id: serviceId, chain })]
  return kind === 'saved'
    ? [connectAgain(view), toolsOfConnection(id)]
    : [toolsOfConnection(id), connectAgain(view)]
}
