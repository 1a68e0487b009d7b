import { apiKeyRequirements } from './requirements/api-keys.ts'
import { gatewayRequirements } from './requirements/gateway.ts'
import { healthRequirements } from './requirements/health.ts'
import { queryKeyRequirements } from './requirements/query-keys.ts'
import { registryRequirements } from './requirements/registry.ts'
import type { Requirement } from './requirements/requirement.ts'

/** The latest issue that is complete: every behaviour up to it must be cited by a test. Raised when one is finished. */
export const builtThrough: number = 4

/**
 * The specification as data. A test says which behaviour it shows by its id: in its title, `[health-decision-values]`,
 * or in a comment, `// requirement: health-decision-values`.
 */
export const requirements: readonly Requirement[] = [
  ...healthRequirements,
  ...apiKeyRequirements,
  ...queryKeyRequirements,
  ...registryRequirements,
  ...gatewayRequirements,
]
