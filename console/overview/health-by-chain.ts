import {
  type HealthByChain,
  type ServiceSummary,
  type StripPart,
  worsePart,
} from '../../shared/health-services.ts'
import { worstFirst } from '../health/decision.ts'
import { runsOf } from '../health/history-strip.ts'

type Watched = Pick<ServiceSummary, 'chain' | 'family' | 'decision' | 'maintenance'>

/** A chain, or the services of a family that read none, over the last day. */
interface ChainDay {
  readonly id: string
  readonly name: string
  /** What narrows the list of services to those. */
  readonly query: { readonly chain: string } | { readonly family: string }
  /** The worst of each hour, the oldest first; null until it is known. */
  readonly hours: readonly StripPart[] | null
  /** How many services it has, and how many of them are UP. */
  readonly count: number
  readonly up: number
}

/**
 * Returns what the services say of their chains: those in trouble first, then those of many services. The last hour holds what
 * is so at this moment, which the answer may not know yet.
 */
export function chainDays(services: readonly Watched[], known: HealthByChain | undefined): ChainDay[] {
  const hoursOf = new Map(known?.chains.map(({ chain, hours }) => [chain, hours]))
  const groups = [...Map.groupBy(services, ({ chain, family }) => chain?.key ?? family)]
  return groups
    .map(([id, group]) => ({ id, group, worst: worstOf(group) }))
    .toSorted((one, other) => one.worst - other.worst || other.group.length - one.group.length)
    .map(({ id, group }) => {
      const [first] = group
      const hours = hoursOf.get(id)
      const now = group.map(({ decision, maintenance }) => (maintenance ? 'MAINTENANCE' : decision))
      return {
        id,
        name: first?.chain?.name ?? id,
        query: first?.chain ? { chain: id } : { family: id },
        hours: hours?.with(-1, now.reduce(worsePart, hours.at(-1) ?? null)) ?? null,
        count: group.length,
        up: group.filter(({ decision }) => decision === 'UP').length,
      }
    })
}

/** The place of the worst decision among all, the worst first. */
const worstOf = (group: readonly Watched[]): number =>
  worstFirst.findIndex((worst) => group.some(({ decision }) => decision === worst))

/**
 * Returns what was not well when, for who cannot see it: `LATENCY 06:00 to 08:00, DOWN 11:00 to 12:00`. `times`: when each
 * hour began, and when the last one ends.
 */
export function dayOfTrouble(hours: readonly StripPart[], times: readonly string[]): string {
  const troubles = runsOf(hours).filter(({ part }) => part !== 'UP' && part !== 'NOT_WATCHED')
  if (troubles.length === 0) return 'nothing but UP'
  return troubles.map((run) => `${run.part} ${times[run.from]} to ${times[run.from + run.count]}`).join(', ')
}
