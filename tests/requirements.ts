import { apiKeyDecisions, apiKeyRequirements } from './requirements/api-keys.ts'
import { gatewayDecisions, gatewayRequirements } from './requirements/gateway.ts'
import type { DecisionArea } from './requirements/document.ts'
import { healthDecisions, healthRequirements } from './requirements/health.ts'
import { operationDecisions } from './requirements/operation.ts'
import { queryKeyDecisions, queryKeyRequirements } from './requirements/query-keys.ts'
import { registryDecisions, registryRequirements } from './requirements/registry.ts'
import type { Requirement } from './requirements/requirement.ts'

/** The latest issue that is complete: every behaviour up to it must be cited by a test. Raised when one is finished. */
export const builtThrough: number = 4

/**
 * The specification as data. A test says which behaviour it shows by `covers('health-decision-values')` in its body.
 */
export const requirements: readonly Requirement[] = [
  ...healthRequirements,
  ...apiKeyRequirements,
  ...queryKeyRequirements,
  ...registryRequirements,
  ...gatewayRequirements,
]

/** What was decided, in the order in which the document tells it. */
export const decisionAreas: readonly DecisionArea[] = [
  { title: 'Health', requirements: healthRequirements, decisions: healthDecisions },
  { title: 'Accounts and API keys', requirements: apiKeyRequirements, decisions: apiKeyDecisions },
  { title: 'Query keys, limits and usage', requirements: queryKeyRequirements, decisions: queryKeyDecisions },
  { title: 'Registry', requirements: registryRequirements, decisions: registryDecisions },
  { title: 'Gateway', requirements: gatewayRequirements, decisions: gatewayDecisions },
  { title: 'Operation', requirements: [], decisions: operationDecisions },
]
