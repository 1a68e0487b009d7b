import { csvText } from '../../../shared/csv.ts'
import { describeKeyRefusals, describeRefusal, refusals } from './refusals.ts'

/* What every address with statistics of an account has in common. */

export interface StatisticsAnswer {
  readonly items: readonly object[]
  /** Absent where an answer is always whole. */
  readonly nextCursor?: string | null
}

/** Returns true when the caller wants CSV: it prefers that type to JSON, or names it first (RFC 9110, section 12.5.1). */
export function asksForCsv({ headers }: Request): boolean {
  let best = { type: '', weight: 0 }
  for (const entry of (headers.get('accept') ?? '').split(',')) {
    const [type = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
    if (type !== 'text/csv' && type !== 'application/json' && type !== '*/*') continue
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    const weight = quality === undefined ? 1 : Number(quality.slice(2))
    if (weight > best.weight) best = { type, weight }
  }
  return best.type === 'text/csv'
}

/**
 * A page of statistics as CSV, its columns named like the fields in JSON. `Link` leads to the next page, which has the
 * names as well. `url` is the address that was asked.
 */
export function csvResponse(
  { items, nextCursor = null }: StatisticsAnswer,
  columns: readonly string[],
  url: string,
): Response {
  const rows = items.map((item) => {
    const cells: Readonly<Record<string, string | number | null | undefined>> = { ...item }
    return columns.map((column) => cells[column] ?? '')
  })
  const headers: Record<string, string> = {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'cache-control': 'private, no-store',
    vary: 'Accept',
  }
  if (nextCursor !== null) {
    const next = new URL(url)
    next.searchParams.set('cursor', nextCursor)
    headers.link = `<${next.pathname}${next.search}>; rel="next"`
  }
  return new Response(csvText([columns, ...rows]), { headers })
}

const json = { headers: { 'cache-control': 'private, no-store', vary: 'Accept' } } as const

/** Answers as CSV to whoever names that type before JSON, as JSON otherwise. */
export const statisticsIn = (
  request: Request,
  answer: StatisticsAnswer,
  columns: readonly string[],
): Response => (asksForCsv(request) ? csvResponse(answer, columns, request.url) : Response.json(answer, json))

const refusedStatistics = refusals(404)

/** Response descriptions that the schemas do not contain. */
const describeResponses = (description: string) =>
  ({
    200: {
      description,
      content: { 'text/csv': { schema: { type: 'string' } } },
      headers: {
        'Cache-Control': { description: 'private, no-store', schema: { type: 'string' } },
        'X-Request-Id': { description: 'finds the request in our log', schema: { type: 'string' } },
      },
    },
    ...describeKeyRefusals('Statistics Read'),
    404: describeRefusal('The account never had such a key', 'not_found', 'There is no query key of this id'),
    422: describeRefusal(
      'A parameter is not allowed; the message names it, and what is allowed',
      'invalid_request',
      'query parameter granularity: expected one of "total", "5m", "hour", "day"',
    ),
  }) as const

interface StatisticsRoute<Query, Answer> {
  readonly query: Query
  readonly answer: Answer
  readonly operationId: string
  readonly summary: string
  readonly description: string
  /** What an answer without a fault holds. */
  readonly holds?: string
}

const aPage =
  'A page of items, and the sums of all pages. With `Accept: text/csv` the items alone as CSV, whose next page `Link` names'

/** What every address with statistics has in common. */
export const statisticsRoute = <const Query, const Answer>({
  query,
  answer,
  holds = aPage,
  ...told
}: StatisticsRoute<Query, Answer>) => ({
  needs: 'statistics_read' as const,
  query,
  detail: { ...told, tags: ['Account'], responses: describeResponses(holds) },
  response: { 200: answer, ...refusedStatistics },
})
