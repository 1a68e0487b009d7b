import { adminAccounts } from './resources/accounts.ts'
import { adminAlertRules } from './resources/alert-rules.ts'
import { adminAudit } from './resources/audit.ts'
import { adminChannels } from './resources/channels.ts'
import { adminEndpoints } from './resources/endpoints.ts'
import { adminPlans } from './resources/plans.ts'
import { adminStatusPages } from './resources/status-pages.ts'
import { adminServices } from './resources/watched.ts'
import type { Resource } from './resource.ts'

/** Everything under `/admin`, in the order of the reference. */
export const adminResources: readonly Resource[] = [
  adminServices,
  adminEndpoints,
  adminAccounts,
  adminPlans,
  adminChannels,
  adminAlertRules,
  adminStatusPages,
  adminAudit,
]
