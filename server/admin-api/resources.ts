import { adminAccounts } from './resources/accounts.ts'
import { adminAlertRules } from './resources/alert-rules.ts'
import { adminAudit } from './resources/audit.ts'
import { adminChannels } from './resources/channels.ts'
import { adminConnections } from './resources/connections.ts'
import { adminEndpoints } from './resources/endpoints.ts'
import { adminIncidents } from './resources/incidents.ts'
import { adminInvitations } from './resources/invitations.ts'
import { adminMaintenance } from './resources/maintenance.ts'
import { adminAllowedAddresses } from './resources/allowed-addresses.ts'
import { adminChains } from './resources/chains.ts'
import { adminPlans } from './resources/plans.ts'
import { adminRegistry } from './resources/registry.ts'
import { adminSilences } from './resources/silences.ts'
import { adminStatements } from './resources/statements.ts'
import { adminStatusPages } from './resources/status-pages.ts'
import { adminVerifierTokens, adminVerifiers } from './resources/verifiers.ts'
import { adminServices } from './resources/watched.ts'
import type { Resource } from './resource.ts'

/** Everything under `/admin`, in the order of the reference. */
export const adminResources: readonly Resource[] = [
  adminServices,
  adminVerifiers,
  adminVerifierTokens,
  adminEndpoints,
  adminAccounts,
  adminInvitations,
  adminPlans,
  adminChains,
  adminAllowedAddresses,
  adminStatements,
  adminChannels,
  adminAlertRules,
  adminSilences,
  adminMaintenance,
  adminStatusPages,
  adminIncidents,
  adminRegistry,
  adminConnections,
  adminAudit,
]
