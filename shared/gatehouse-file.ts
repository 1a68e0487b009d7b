import * as z from 'zod/mini'

import { AlertChannel } from './alert-channels.ts'
import { MaintenanceWindow } from './alert-times.ts'
import { AlertRule, namedList } from './alerts.ts'
import { CacheSection, defaultCache } from './cache-settings.ts'
import { ChainsSection } from './chains.ts'
import { OAuthIssuersSection } from './connections.ts'
import { CreditPrices, EndpointSpec } from './endpoints.ts'
import { ProbedEndpoint, ServiceSpec } from './health.ts'
import { PlansSection, SignUpSection } from './plans.ts'
import { defaultQueryKeyType, QueryKeyDefaults, QueryKeyType } from './query-keys.ts'
import { RegistrySection } from './registry.ts'
import { StatementsSection } from './statement.ts'
import { StatusSection } from './status-pages.ts'
import { ToolPoliciesSection } from './tool-policies.ts'
import { VirtualServersSection } from './virtual-servers.ts'

export const VerifiersSection = z.strictObject({
  builtIn: z._default(z.boolean(), true),
  // Hosts that answer as long as the network does: a verifier that cannot reach them distrusts itself.
  canaries: z._default(z.array(ProbedEndpoint), []),
  // Without such hosts: the default gateway, root name servers, and the anchors of chains.
  defaultCanaries: z._default(z.boolean(), true),
})

const QueryKeyTypes = z.array(QueryKeyType).check(
  z.minLength(1),
  z.maxLength(100),
  z.refine((types) => new Set(types).size === types.length, 'expected no type twice'),
)

/** The declarative file. Everything that comes from it is shown as "managed by file" and changed only there. */
export const GatehouseFile = z.strictObject({
  chains: z._default(ChainsSection, {}), // additions to the built-in chains, or overrides of them
  services: z._default(z.array(ServiceSpec), []),
  verifiers: z._default(VerifiersSection, { builtIn: true, canaries: [], defaultCanaries: true }),
  endpoints: z._default(z.array(EndpointSpec), []),
  queryKeyTypes: z._default(QueryKeyTypes, [defaultQueryKeyType]),
  plans: z._default(PlansSection, []), // what accounts may have and use
  signUp: z._default(SignUpSection, {}), // what new accounts get
  creditPrices: z._default(CreditPrices, {}), // for methods that the endpoint itself does not price
  queryKeyDefaults: z._default(QueryKeyDefaults, {}),
  cache: z._default(CacheSection, defaultCache),
  virtualServers: z._default(VirtualServersSection, []), // sets of tools that every account has
  oauthIssuers: z._default(OAuthIssuersSection, []), // client ids at authorization servers of tool servers
  statements: z._default(StatementsSection, { channels: [] }), // where statements of a month are sent
  status: z._default(StatusSection, []), // public pages about chosen services
  registry: z._default(RegistrySection, { refreshHours: 24, links: [] }),
  toolPolicies: z._default(ToolPoliciesSection, {}), // what tools of tool servers anybody may call
  channels: namedList(AlertChannel), // where alerts are told
  alerts: namedList(AlertRule),
  maintenance: namedList(MaintenanceWindow), // planned work, in which alerts are held back
})
export type GatehouseFile = z.infer<typeof GatehouseFile>
