import { type RequestFilter, type RequestGroup, requestGroups } from '../../shared/request-log.ts'

/** What the page shows, as it stands in its address; empty texts restrict nothing. */
export interface RequestView {
  /** `all`, or an account; empty: one's own. */
  readonly account: string
  readonly key: string
  readonly group: RequestGroup | ''
  /** A method, an HTTP status or a request id. */
  readonly text: string
  readonly range: RequestRange
}

export const requestRanges = ['15m', '1h', '6h', '24h'] as const
export type RequestRange = (typeof requestRanges)[number]

const minuteMs = 60_000
const rangeMs: Readonly<Record<RequestRange, number>> = {
  '15m': 15 * minuteMs,
  '1h': 60 * minuteMs,
  '6h': 360 * minuteMs,
  '24h': 1_440 * minuteMs,
}

export const allRequests: RequestView = { account: '', key: '', group: '', text: '', range: '1h' }

/** Whatever is not understood restricts nothing. */
export function requestViewOf(query: Readonly<Record<string, unknown>>): RequestView {
  return {
    account: textOf(query.account).slice(0, 200),
    key: textOf(query.key).slice(0, 64),
    group: requestGroups.find((group) => group === query.outcome) ?? '',
    text: textOf(query.find).slice(0, 128),
    range: requestRanges.find((range) => range === query.range) ?? allRequests.range,
  }
}

/** The other way round; what restricts nothing is left out. */
export function requestAddressOf({ account, key, group, text, range }: RequestView): Record<string, string> {
  const parts = { account, key, outcome: group, find: text, range: range === allRequests.range ? '' : range }
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== ''))
}

/** Whether a list without rows may have some under another filter. */
export const isRequestViewFiltered = ({ key, group, text }: RequestView): boolean =>
  key !== '' || group !== '' || text !== ''

/** What is asked of the server, apart from the period. */
export function requestFilterOf({ account, key, group, text }: RequestView) {
  return {
    ...(account === 'all' ? { all: true } : account !== '' && { account }),
    ...(key !== '' && { keyId: key }),
    ...(group !== '' && { group }),
    ...foundBy(text.trim()),
  }
}

export const beginOf = ({ range }: RequestView, now: number): number => now - rangeMs[range]

/** Request ids are long, or chosen by the caller with a separator; methods of every family are words. */
function foundBy(text: string): Pick<RequestFilter, 'status' | 'requestId' | 'method'> {
  if (text === '') return {}
  if (/^[1-5]\d\d$/.test(text)) return { status: Number(text) }
  return /^req_|^[\da-f-]{16,}$/i.test(text) ? { requestId: text } : { method: text }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Puts the newer ones first. A request may come live before the page that holds it, or after. */
export function withoutRepetition<Request extends { readonly id: string }>(
  newer: readonly Request[],
  older: readonly Request[],
): Request[] {
  const known = new Set(newer.map(({ id }) => id))
  return [...newer, ...older.filter(({ id }) => !known.has(id))]
}
