import type { Accounts } from '../accounts/accounts.ts'
import { type ExportAccount, accountProcedures } from '../accounts/procedures.ts'
import { teamProcedures } from '../accounts/teams/procedures.ts'
import type { AllowedAddresses } from '../allowed-addresses/allowed-addresses.ts'
import { allowedAddressProcedures } from '../allowed-addresses/procedures.ts'
import type { AgentAccess } from '../agent-access/agent-access.ts'
import { agentOperatorProcedures, agentProcedures } from '../agent-access/procedures.ts'
import type { ApiKeys } from '../api-keys/api-keys.ts'
import type { Alerts } from '../alerts/alerts.ts'
import { alertRouters } from '../alerts/procedures.ts'
import { apiKeyOperatorProcedures, apiKeyProcedures } from '../api-keys/procedures.ts'
import type { Audit } from '../audit/audit.ts'
import { auditProcedures } from '../audit/procedures.ts'
import { chainProcedures } from '../chains/procedures.ts'
import { connectionProcedures, issuerProcedures, toolServerProcedures } from '../connections/procedures.ts'
import type { DownstreamServices } from '../connections/connections.ts'
import type { Endpoints } from '../endpoints/endpoints.ts'
import { endpointProcedures } from '../endpoints/procedures.ts'
import { type GatewayDomains, gatewayProcedures } from '../gateway/procedures.ts'
import type { GlobalSearch } from '../global-search/global-search.ts'
import { globalSearchProcedures } from '../global-search/procedures.ts'
import type { Health } from '../health/health.ts'
import { serviceProcedures } from '../health/services/procedures.ts'
import { verifierProcedures } from '../health/verifiers/procedures.ts'
import type { Installation } from '../installation/installation.ts'
import { installationProcedures } from '../installation/procedures.ts'
import { queryKeyOperatorProcedures, queryKeyProcedures } from '../query-keys/procedures.ts'
import { planProcedures } from '../plans/procedures.ts'
import type { QueryKeys } from '../query-keys/query-keys.ts'
import { registryProcedures } from '../registry/procedures.ts'
import type { Registry } from '../registry/registry.ts'
import { requestLogProcedures } from '../request-log/procedures.ts'
import type { FleetRequests } from '../request-log/fleet-requests.ts'
import { statusPageProcedures } from '../status-pages/procedures.ts'
import type { StatusPages } from '../status-pages/status-pages.ts'
import { usageOperatorProcedures, usageProcedures } from '../usage/procedures.ts'
import { virtualServerOperatorProcedures, virtualServerProcedures } from '../virtual-servers/procedures.ts'
import type { VirtualServers } from '../virtual-servers/virtual-servers.ts'
import type { Usage } from '../usage/usage.ts'
import { toolCallProcedures } from '../tool-calls/procedures.ts'
import type { ToolCalls } from '../tool-calls/tool-calls.ts'
import {
  type OwnsSubject,
  toolPolicyOperatorProcedures,
  toolPolicyProcedures,
} from '../tool-policies/procedures.ts'
import type { ToolPolicies } from '../tool-policies/tool-policies.ts'
import { router } from '../trpc/init.ts'

interface RoutedDomains {
  health: Health
  accounts: Accounts
  exportAccount: ExportAccount
  apiKeys: ApiKeys
  queryKeys: QueryKeys
  plans: Parameters<typeof planProcedures>[0]
  chains: Parameters<typeof chainProcedures>[0]
  audit: Audit
  endpoints: Endpoints
  installation: Installation
  allowedAddresses: AllowedAddresses
  usage: Usage
  requests: FleetRequests
  registry: Registry
  agentAccess: AgentAccess
  statusPages: StatusPages
  toolPolicies: ToolPolicies
  globalSearch: GlobalSearch
  alerts: Alerts
  agents: Omit<GatewayDomains, 'registry'> & {
    readonly services: DownstreamServices
    readonly toolCalls: ToolCalls
    readonly virtualServers: VirtualServers
  }
}

/** Every procedure of the console and the command line. */
export function createRouter(domains: RoutedDomains) {
  const { idOf, namesOf } = domains.accounts
  return router({
    globalSearch: globalSearchProcedures(domains.globalSearch),
    installation: installationProcedures(domains.installation),
    allowedAddresses: allowedAddressProcedures(domains.allowedAddresses),
    accounts: accountProcedures(domains.accounts, domains.exportAccount),
    teams: teamProcedures(domains.accounts.teams),
    apiKeys: apiKeyProcedures(domains.apiKeys),
    operatorApiKeys: apiKeyOperatorProcedures(domains.apiKeys, idOf, namesOf),
    queryKeys: queryKeyProcedures(domains.queryKeys),
    operatorQueryKeys: queryKeyOperatorProcedures(domains.queryKeys, idOf, namesOf),
    plans: planProcedures(domains.plans),
    chains: chainProcedures(domains.chains),
    agents: agentProcedures(domains.agentAccess),
    operatorAgents: agentOperatorProcedures(domains.agentAccess, idOf, namesOf),
    audit: auditProcedures(domains.audit),
    ...alertRouters(domains.alerts),
    endpoints: endpointProcedures(domains.endpoints, domains.audit.record),
    services: serviceProcedures(domains.health, domains.audit.record),
    statusPages: statusPageProcedures(domains.statusPages, domains.audit.record),
    verifiers: verifierProcedures(domains.health.verifiers, domains.audit.record),
    usage: usageProcedures(domains.usage),
    operatorUsage: usageOperatorProcedures(domains.usage, idOf),
    requests: requestLogProcedures(domains.requests, surroundingsOf(domains)),
    toolCalls: toolCallProcedures(domains.agents.toolCalls, idOf),
    registry: registryProcedures(domains.registry, domains.audit.record),
    toolPolicies: toolPolicyProcedures(domains.toolPolicies, ownsSubject(domains)),
    operatorToolPolicies: toolPolicyOperatorProcedures(domains.toolPolicies, idOf),
    connections: connectionProcedures(domains.agents.connections, domains.agents.services),
    toolServers: toolServerProcedures(domains.agents.connections),
    virtualServers: virtualServerProcedures(domains.agents.virtualServers),
    operatorVirtualServers: virtualServerOperatorProcedures(domains.agents.virtualServers, idOf),
    oauthIssuers: issuerProcedures(domains.agents.connections),
    gateway: gatewayProcedures({ ...domains.agents, registry: domains.registry }),
  })
}

/** What the request log shows of others beside a request. */
const surroundingsOf = ({
  accounts,
  queryKeys,
  endpoints,
  health,
}: {
  readonly accounts: Accounts
  readonly queryKeys: QueryKeys
  readonly endpoints: Endpoints
  readonly health: Health
}): Parameters<typeof requestLogProcedures>[1] => ({
  keysOf: queryKeys.list,
  upstreamsOf: (endpoint) => endpoints.find(endpoint)?.upstreams ?? [],
  decisionOf: (serviceId) => health.read(serviceId).decision,
  accountIdOf: accounts.idOf,
})

interface Owners {
  readonly apiKeys: ApiKeys
  readonly agentAccess: AgentAccess
  readonly agents: Pick<GatewayDomains, 'connections'>
}

const ownsSubject =
  ({ apiKeys, agentAccess, agents: { connections } }: Owners): OwnsSubject =>
  async (accountId, { level, id }) => {
    if (level === 'connection') return (await connections.get({ accountId, sessionId: '' }, id)) !== null
    const all = await Promise.all([apiKeys.list(accountId), agentAccess.list(accountId)])
    return all.flat().some((one) => one.id === id)
  }

export type AppRouter = ReturnType<typeof createRouter>
