import { minuteMs } from '../../shared/durations.ts'
import { type RequestFilter, type RequestGroup, requestGroups } from '../../shared/request-log.ts'
import { queryText, withoutBlanks } from '../address-query.ts'
import type { AddressQuery } from '../address-query.ts'

/** What the page shows, as it stands in its address; empty texts restrict nothing. */
export interface RequestView {
  /** `all`, or an account; empty: one's own. */
  readonly account: string
  readonly key: string
  readonly group: RequestGroup | ''
  /** A method, an HTTP status or a request id. */
  readonly text: string
  readonly range: RequestRange
  /** A part of the period that is looked at alone, epoch ms; null: all of it, until now. */
  readonly span: RequestSpan | null
}

export interface RequestSpan {
  readonly from: number
  readonly to: number
}

export const requestRanges = ['15m', '1h', '6h', '24h'] as const
export type RequestRange = (typeof requestRanges)[number]

const rangeMs: Readonly<Record<RequestRange, number>> = {
  '15m': 15 * minuteMs,
  '1h': 60 * minuteMs,
  '6h': 360 * minuteMs,
  '24h': 1_440 * minuteMs,
}

export const allRequests: RequestView = { account: '', key: '', group: '', text: '', range: '1h', span: null }

/** Whatever is not understood restricts nothing. */
export function requestViewOf(query: AddressQuery): RequestView {
  return {
    account: queryText(query, 'account').slice(0, 200),
    key: queryText(query, 'key').slice(0, 64),
    group: requestGroups.find((group) => group === query.outcome) ?? '',
    text: queryText(query, 'find').slice(0, 128),
    range: requestRanges.find((range) => range === query.range) ?? allRequests.range,
    span: spanOf(queryText(query, 'span')),
  }
}

function spanOf(text: string): RequestSpan | null {
  const [, from, to] = /^(\d{13})-(\d{13})$/.exec(text) ?? []
  return from !== undefined && to !== undefined && from < to ? { from: Number(from), to: Number(to) } : null
}

/** The other way round; what restricts nothing is left out. */
export function requestAddressOf(view: RequestView): Record<string, string> {
  const { account, key, group, text, range, span } = view
  return withoutBlanks({
    account,
    key,
    outcome: group,
    find: text,
    range: range === allRequests.range ? '' : range,
    span: span === null ? '' : `${span.from}-${span.to}`,
  })
}

/** Whether a list without rows may have some under another filter. */
export const isRequestViewFiltered = ({ key, group, text }: RequestView): boolean =>
  key !== '' || group !== '' || text !== ''

/** What is asked of the server, apart from a period that ends now. */
export function requestFilterOf({ account, key, group, text, span }: RequestView) {
  return {
    ...span,
    ...(account === 'all' ? { all: true } : account !== '' && { account }),
    ...(key !== '' && { keyId: key }),
    ...(group !== '' && { group }),
    ...foundBy(text.trim()),
  }
}

export const beginOf = ({ range, span }: RequestView, now: number): number =>
  span?.from ?? now - rangeMs[range]

/** The stretch between two places (0 to 1) of a time line, in either order; null where it is no more than a click. */
export function spanBetween(shown: RequestSpan, one: number, other: number): RequestSpan | null {
  const [first, last] = [Math.min(one, other), Math.max(one, other)].map((place) =>
    Math.min(1, Math.max(0, place)),
  )
  if (first === undefined || last === undefined || last - first < 0.01) return null
  const at = (place: number): number => Math.round(shown.from + place * (shown.to - shown.from))
  const [from, to] = [at(first), at(last)]
  return to - from < 1_000 ? null : { from, to }
}

/** Request ids are long, or chosen by the caller with a separator; methods of every family are words. */
function foundBy(text: string): Pick<RequestFilter, 'status' | 'requestId' | 'method'> {
  if (text === '') return {}
  if (/^[1-5]\d\d$/.test(text)) return { status: Number(text) }
  return /^req_|^[\da-f-]{16,}$/i.test(text) ? { requestId: text } : { method: text }
}
