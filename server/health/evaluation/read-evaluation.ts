import type { HeadObservation } from '../decide/reference-head.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import type { Catalogue, ListedService } from '../services/catalogue.ts'
import type { Causes } from './causes.ts'
import type { ChainViews } from './chain-view.ts'
import type { Evaluator } from './evaluator.ts'
import type { ReportedFacts } from './facts.ts'
import { lastGoodOfLimited } from './fresh-reports.ts'
import type { ObservationTable } from './observation-table.ts'
import type { PublishedDecisions } from './published-decisions.ts'
import { recentTries } from './recent-tries.ts'

interface EvaluationSources {
  readonly catalogue: Catalogue
  readonly table: ObservationTable
  readonly published: PublishedDecisions
  readonly chainViews: ChainViews
  readonly causes: Causes
  readonly evaluator: Pick<Evaluator, 'state' | 'pendingChange' | 'reports'>
  readonly facts: Pick<ReportedFacts, 'of'>
  readonly clock: SteadyClock
}

/** What others ask of the evaluation of services. */
export const createEvaluationReaders = ({
  catalogue,
  table,
  published,
  chainViews,
  causes,
  evaluator,
  facts,
  clock,
}: EvaluationSources) => ({
  read: published.read,
  numbers: published.numbers,
  state: (listed: ListedService) => evaluator.state(listed.slot) ?? null,
  /** Returns whether every service has a decision other than UNKNOWN. */
  isDecided: () =>
    [...catalogue.all()].every(
      ({ service }) => service.isHidden || published.read(service.id).decision !== 'UNKNOWN',
    ),
  /** Returns why a service is LATENCY or DOWN, as it is stored; null for others. */
  cause: (listed: ListedService) => causes.of(listed.slot),
  pendingChange: (listed: ListedService) => evaluator.pendingChange(listed, clock.now()),
  reports: (listed: ListedService) => evaluator.reports(listed, clock.now()),
  limited: (listed: ListedService) => lastGoodOfLimited(table, listed, clock.now()),
  tries: (listed: ListedService) => recentTries(table, listed, clock.now()),
  view: (chain: string) => chainViews.find(chain) ?? null,
  views: () => chainViews.all(),
  /** Returns the newest heads of a service, one of each verifier; `at` is in epoch ms. */
  heads(serviceId: string): HeadObservation[] {
    const chain = catalogue.find(serviceId)?.service.chain ?? null
    return chain === null ? [] : (chainViews.find(chain)?.headsOf(serviceId) ?? [])
  },
  /** Returns what verifiers found out beside heads, with its age; null where nothing is known. */
  facts: (serviceId: string) => facts.of(serviceId, clock.now()),
})
