import type { RegistryCounts, RowProblem } from '../../shared/registry.ts'
import type { RegistryAnswers } from './answers/answers.ts'
import { createAnswers } from './answers/answers.ts'
import type { MonitoredServices } from './health-links.ts'
import { createHealthLinks } from './health-links.ts'
import type { LoadedRegistry } from './load.ts'
import type { RegistryHealthLink } from '../../shared/registry.ts'

/** Where the registry in force came from. */
export interface Origin {
  /** `built-in`: the product's own. */
  readonly source: string
  /** Null: the product's own, which was never imported. */
  readonly importedAt: number | null
}

/** One registry with everything that answers need of it: swapped as a whole. */
export interface RegistryInForce {
  readonly answers: RegistryAnswers
  readonly origin: Origin
  readonly version: string
  readonly counts: RegistryCounts
  readonly problems: readonly RowProblem[]
}

interface InForceParts {
  readonly nameOf: (chain: string) => string
  readonly services: MonitoredServices
  readonly links: () => readonly RegistryHealthLink[]
}

export function toInForce(
  { index, counts, problems }: LoadedRegistry,
  origin: Origin,
  { nameOf, services, links }: InForceParts,
): RegistryInForce {
  const health = createHealthLinks(index, services, links)
  const answers = createAnswers(index, nameOf, health)
  return { answers, origin, version: index.snapshot.version, counts, problems }
}
