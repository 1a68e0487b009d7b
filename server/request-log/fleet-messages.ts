import * as z from 'zod/mini'

import { LoggedRequest, RequestCounts, RequestFilter, RequestQuery } from '../../shared/request-log.ts'

/** What processes ask each other about their request logs, at which path, and what they answer: JSON. */

const accountId = z.nullable(z.string())
const { before, limit } = RequestQuery.shape
const owner = z.object({ accountId: z.string() })
const OwnedRequests = z.array(z.intersection(LoggedRequest, owner))

export const pageMessages = {
  path: '/requests/list',
  Question: z.object({ accountId, query: z.extend(RequestFilter, { before, limit }) }),
  Answer: z.object({ requests: OwnedRequests, nextCursor: z.nullable(z.string()) }),
} as const

export const countMessages = {
  path: '/requests/counts',
  Question: z.object({ accountId, filter: RequestFilter, until: z.number() }),
  Answer: z.array(RequestCounts),
} as const

/** The answer goes on until the asker leaves: a line for each event, twice a second at least. */
export const feedMessages = {
  path: '/requests/follow',
  Question: z.object({ accountId, filter: RequestFilter }),
  Event: z.object({ requests: OwnedRequests, left: z.int() }),
} as const
