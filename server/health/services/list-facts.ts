import { minuteMs } from '../../../shared/durations.ts'
import type { ChainReference, HealthByChain, RecentService } from '../../../shared/health-services.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import { adviceOf } from '../evaluation/advice.ts'
import type { Evaluation } from '../evaluation/evaluation.ts'
import type { History } from '../history/history.ts'
import type { Catalogue, ListedService } from './catalogue.ts'

interface ListSources {
  readonly catalogue: Pick<Catalogue, 'all' | 'find'>
  readonly history: Pick<History, 'readRecent' | 'readWorstHours'>
  readonly evaluation: Pick<Evaluation, 'facts' | 'tries' | 'views'>
  readonly clock: SteadyClock
}

/** Creates the use cases that say what a list of services shows beside their states. */
export const createListFacts = ({ catalogue, history, evaluation, clock }: ListSources) => ({
  byChain: createHealthByChain(catalogue, history, clock),

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

/** How old the answer may be: everybody who looks gets the same, and ten thousand services take the database some time. */
const byChainAgeMs = minuteMs / 2

/** Creates what resolves to the last day by chain. Fault: `unavailable` while the database is away. */
function createHealthByChain(
  catalogue: Pick<Catalogue, 'all'>,
  history: Pick<History, 'readWorstHours'>,
  clock: SteadyClock,
): () => Promise<HealthByChain> {
  let last: { readonly at: number; readonly answer: Promise<HealthByChain> } | null = null

  async function read(): Promise<HealthByChain> {
    const services = [...catalogue.all()].flatMap(({ service }): [string, string][] =>
      service.isHidden ? [] : [[service.id, service.chain ?? service.family]],
    )
    const { from, byGroup } = await history.readWorstHours(services)
    return { from, chains: [...byGroup].map(([chain, hours]) => ({ chain, hours })) }
  }

  return async () => {
    if (last === null || clock.now() - last.at >= byChainAgeMs) last = { at: clock.now(), answer: read() }
    const { answer } = last
    try {
      return await answer
    } catch (error) {
      if (last?.answer === answer) last = null
      throw error
    }
  }
}
