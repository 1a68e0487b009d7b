import type { Traffic, TrafficHour } from '../../shared/usage.ts'
import type { StackBand } from '../ui/stack-scales.ts'

const refusedIn = ({ rateLimited, creditLimited }: Pick<TrafficHour, 'rateLimited' | 'creditLimited'>) =>
  rateLimited + creditLimited

/** What became of the calls of each hour, the good ones at the bottom. */
export function trafficBands({ hours }: Pick<Traffic, 'hours'>): readonly StackBand[] {
  const bands = [
    { name: 'Answered', values: hours.map(({ requests, errors }) => Math.max(0, requests - errors)) },
    { name: 'Errors', values: hours.map(({ errors }) => errors) },
    { name: 'Refused by a limit', values: hours.map(refusedIn), isRest: true },
  ]
  return bands.filter(({ values }) => values.some((value) => value > 0))
}

/** Sums of a day, each with the list of what it is about in the address of the page for usage. */
export function trafficFigures({ totals }: Pick<Traffic, 'totals'>) {
  return [
    { id: 'requests', title: 'calls', count: totals.requests, query: {} },
    { id: 'errors', title: 'errors', count: totals.errors, query: { only: 'errors' } },
    { id: 'refused', title: 'refused', count: refusedIn(totals), query: { only: 'refused' } },
  ] as const
}

/** Whether anybody called at all, be it in vain. */
export const isSilent = ({ totals }: Pick<Traffic, 'totals'>): boolean =>
  totals.requests === 0 && refusedIn(totals) === 0
