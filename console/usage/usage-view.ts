import type { UsageMeasure, UsageQuestion, UsageSeriesQuestion } from '../../shared/usage.ts'
import { statisticsBounds, usageMeasures } from '../../shared/usage.ts'
import { queryPage, querySort, queryText, sortText, withoutBlanks } from '../address-query.ts'
import type { AddressQuery } from '../address-query.ts'
import type { Sort } from '../ui/sort-rows.ts'
import {
  dayFrom,
  chartIntervalOf,
  intervalBefore,
  isOfMinutes,
  lastLengths,
  unitsOf,
  usualUnit,
  zoneOf,
} from './usage-range.ts'
import type { Unit, UsageRange } from './usage-range.ts'

/** What the rows stand for. */
export type By = 'key' | 'method'

/** Which rows of the table are shown. */
export const outcomes = ['errors', 'refused'] as const
export type Outcome = (typeof outcomes)[number]

/**
 * What is shown of usage. It stands in the address of the page:
 * `?by=method&range=7d&compare=before&unit=day&measure=credits&key=…&only=refused&sort=-errors`; empty texts narrow nothing.
 */
export interface UsageView {
  readonly by: By
  /** The id of an account whose usage an operator looks at; blank: one's own. */
  readonly account: string
  readonly range: UsageRange
  /** Whether the period of the same length before it is shown, too. */
  readonly isCompared: boolean
  /** Null: what is usual for the range. */
  readonly unit: Unit | null
  readonly measure: UsageMeasure
  readonly keyId: string
  readonly endpoint: string
  readonly method: string
  readonly only: Outcome | ''
  readonly sort: Sort | null
  /** From 1. */
  readonly page: number
}

export const usualView: UsageView = {
  by: 'key',
  account: '',
  range: { kind: 'last', length: '24h' },
  isCompared: false,
  unit: null,
  measure: 'requests',
  keyId: '',
  endpoint: '',
  method: '',
  only: '',
  sort: null,
  page: 1,
}

/** How many bands a chart has besides that of all others. */
const shownBands = 6

/** Reads the page's address; what makes no sense in it counts as absent. */
export function usageViewFromQuery(query: AddressQuery): UsageView {
  const text = (name: string): string => queryText(query, name).slice(0, statisticsBounds.methodChars)
  const unit = text('unit')
  return {
    by: text('by') === 'method' ? 'method' : 'key',
    account: text('account'),
    range: rangeFrom(query),
    isCompared: text('compare') === 'before',
    unit: unit === '5m' || unit === 'hour' || unit === 'day' ? unit : null,
    measure: usageMeasures.find((known) => known === text('measure')) ?? 'requests',
    keyId: text('key'),
    endpoint: text('endpoint'),
    method: text('method'),
    only: outcomes.find((known) => known === text('only')) ?? '',
    sort: querySort(query),
    page: queryPage(query),
  }
}

function rangeFrom({ range, from, to }: AddressQuery): UsageRange {
  const [first, last] = [dayFrom(from), dayFrom(to)]
  if (first !== null && last !== null) return { kind: 'days', from: first, to: last }
  return { kind: 'last', length: lastLengths.find((known) => known === range) ?? '24h' }
}

/** The reverse of `usageViewFromQuery`; what is as usual is left out. */
export function usageQueryOf(view: UsageView): Record<string, string> {
  const { range } = view
  return withoutBlanks({
    by: view.by === 'key' ? '' : view.by,
    account: view.account,
    range: range.kind === 'days' || range.length === '24h' ? '' : range.length,
    from: range.kind === 'days' ? range.from : '',
    to: range.kind === 'days' ? range.to : '',
    compare: view.isCompared ? 'before' : '',
    unit: view.unit ?? '',
    measure: view.measure === 'requests' ? '' : view.measure,
    key: view.keyId,
    endpoint: view.endpoint,
    method: view.method,
    only: view.only,
    sort: sortText(view.sort),
    page: view.page === 1 ? '' : String(view.page),
  })
}

/** Whether anything but the time narrows what is shown. */
export const isUsageNarrowed = ({ keyId, endpoint, method, only }: UsageView): boolean =>
  [keyId, endpoint, method, only].some((text) => text !== '')

/** What the chart is divided by: what was chosen, where the range can be divided so. */
export function unitOf({ unit, range }: UsageView, now: number): Unit {
  const units = unitsOf(range, now)
  if (unit !== null && units.includes(unit)) return unit
  const usual = usualUnit(range, now)
  return units.includes(usual) ? usual : (units[0] ?? usual)
}

/** Whose usage is asked for, where that is not one's own. */
interface OfAccount {
  readonly account?: string
}

/** What to ask for all there is in a range. */
export function rangeQuestionOf(
  { range, account }: Pick<UsageView, 'range' | 'account'>,
  now: number,
): UsageQuestion & OfAccount {
  const timeZone = zoneOf(range, now)
  return {
    ...chartIntervalOf(range, now),
    ...(isOfMinutes(range) && { isByFives: true }),
    ...(timeZone !== 'UTC' && { timeZone }),
    ...(account !== '' && { account }),
  }
}

/** What to ask for a table. */
export function questionOf(view: UsageView, now: number): UsageQuestion & OfAccount {
  const { keyId, endpoint, method } = view
  return {
    ...rangeQuestionOf(view, now),
    ...(keyId !== '' && { keyId }),
    ...(endpoint !== '' && { endpoint }),
    ...(method !== '' && { method }),
  }
}

/** The same of the period before; null: it is not asked for, or not kept. */
export function questionBefore(view: UsageView, now: number): (UsageQuestion & OfAccount) | null {
  const interval = view.isCompared ? intervalBefore(view.range, now) : null
  return interval && { ...questionOf(view, now), ...interval }
}

/** What to ask for a chart: of the range, or of the period before. */
export function seriesQuestionOf(
  view: UsageView,
  now: number,
  question = questionOf(view, now),
): UsageSeriesQuestion & OfAccount {
  const { isByFives: _, ...asked } = question
  return {
    ...asked,
    by: view.by,
    granularity: unitOf(view, now),
    measure: view.measure,
    top: shownBands,
  }
}
