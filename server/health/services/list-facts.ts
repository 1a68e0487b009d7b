import type { ChainReference, RecentService } from '../../../shared/health-services.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import { adviceOf } from '../evaluation/advice.ts'
import type { Evaluation } from '../evaluation/evaluation.ts'
import type { History } from '../history/history.ts'
import type { Catalogue, ListedService } from './catalogue.ts'

interface ListSources {
  readonly catalogue: Pick<Catalogue, 'find'>
  readonly history: Pick<History, 'readRecent'>
  readonly evaluation: Pick<Evaluation, 'facts' | 'tries' | 'views'>
  readonly clock: SteadyClock
}

/** Creates the use cases that say what a list of services shows beside their states. */
export const createListFacts = ({ catalogue, history, evaluation, clock }: ListSources) => ({
  /**
   * Resolves to the last day, the uptime and advice of those services that are registered. Throws the fault
   * `unavailable` while the database is away.
   */
  async recent(serviceIds: readonly string[]): Promise<RecentService[]> {
    const registered = new Map(
      serviceIds.flatMap((id): [string, ListedService][] => {
        const listed = catalogue.find(id)
        return listed === undefined || listed.service.isHidden ? [] : [[id, listed]]
      }),
    )
    const histories = await history.readRecent([...registered.keys()])
    return histories.flatMap((past): RecentService[] => {
      const listed = registered.get(past.id)
      if (listed === undefined) return []
      const advice = adviceOf(evaluation.facts(past.id), evaluation.tries(listed), clock.now())
      return [{ ...past, advice }]
    })
  },

  /** Returns what the nodes of each chain are measured by, as far as that is known. */
  chainHeads: (): ChainReference[] =>
    [...evaluation.views()].flatMap(({ chain, reference }) =>
      reference === null
        ? []
        : [
            {
              chain: chain.key,
              height: reference.height,
              timestamp: reference.timestamp,
              providers: reference.providers,
            },
          ],
    ),
})
