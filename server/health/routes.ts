import { Elysia } from 'elysia'
import * as z from 'zod/mini'

import { HealthResponse, ServiceId, serviceIdPattern } from '../../shared/health.ts'
import { ServiceDetails, ServiceHistory, historyRanges } from '../../shared/health-details.ts'
import { matching } from '../../shared/text.ts'
import type { HotRoute } from '../platform/http/direct-routes.ts'
import { isKnownByCaller } from '../platform/http/if-none-match.ts'
import { refusals } from '../platform/http/refusals.ts'
import { openToAllSites, preparedHeaders } from '../platform/http/response-headers.ts'
import { shieldsBadge, svgBadge } from './badge.ts'
import type { Health } from './health.ts'

const params = z.object({ serviceId: ServiceId })

/** Status widgets on other sites poll these answers; two seconds are half of the shortest useful interval. */
const publicHeaders = {
  ...openToAllSites,
  'content-type': 'application/json',
  'cache-control': 'public, max-age=2, stale-while-revalidate=10',
}

const fresh = { headers: preparedHeaders(publicHeaders) }
const unchanged = { ...fresh, status: 304 }

const badgeHeaders = { ...openToAllSites, 'cache-control': 'public, max-age=30' }

const BadgeFile = matching(
  /^[A-Za-z0-9._:-]{1,128}\.(svg|json)$/,
  'a service identifier followed by .svg or .json',
)

function answerDecision(health: Health, serviceId: string, request: Request): Response {
  const { body, etag } = health.read(serviceId)
  const isKnown = isKnownByCaller(request.headers.get('if-none-match'), etag)
  const response = isKnown ? new Response(null, unchanged) : new Response(body, fresh)
  response.headers.set('etag', etag)
  return response
}

/** Answers `GET /health/{serviceId}` before the router, because status widgets and load balancers poll it constantly. */
export const decisionLookUp = (health: Health): HotRoute => ({
  prefix: '/health/',
  segment: serviceIdPattern,
  template: '/health/:serviceId',
  answer: (serviceId, request) => answerDecision(health, serviceId, request),
})

/** Creates the public health API. It needs no sign-in, and pages of any site may read it. */
export function healthRoutes(health: Health) {
  return new Elysia({ name: 'health' })
    .get(
      '/health/:serviceId',
      ({ params: { serviceId }, request }) => answerDecision(health, serviceId, request),
      {
        params,
        detail: {
          operationId: 'getServiceHealth',
          summary: 'Health decision of one service',
          description: 'An identifier that nobody registered answers UNKNOWN with no live verifiers.',
          tags: ['Health'],
          responses: { 304: { description: 'It is as If-None-Match says' } },
        },
        response: { 200: HealthResponse },
      },
    )
    .get(
      '/health/:serviceId/details',
      ({ params: { serviceId } }) =>
        Response.json(withoutClient(health.details(serviceId)), { headers: publicHeaders }),
      {
        params,
        detail: {
          operationId: 'getServiceHealthDetails',
          summary: 'Why the decision is what it is',
          description: 'Votes with reason and freshness, reference head, thresholds and advisories.',
          tags: ['Health'],
        },
        response: { 200: ServiceDetails, ...refusals(404) },
      },
    )
    .get(
      '/health/:serviceId/history',
      async ({ params: { serviceId }, query: { range } }) =>
        Response.json(await health.history(serviceId, range), { headers: publicHeaders }),
      {
        params,
        query: z.strictObject({ range: z._default(z.enum(historyRanges), '24h') }),
        detail: {
          operationId: 'getServiceHealthHistory',
          summary: 'Transitions, incidents and uptime',
          tags: ['Health'],
        },
        response: { 200: ServiceHistory, ...refusals(404) },
      },
    )
}

/** Creates the badges `/badge/{serviceId}.svg` and, for shields.io, `.json`. */
export function badgeRoutes(health: Health) {
  return new Elysia({ name: 'badges' }).get(
    '/badge/:file',
    ({ params: { file } }) => {
      const dot = file.lastIndexOf('.')
      const { name, decision } = health.label(file.slice(0, dot))
      if (file.endsWith('.json'))
        return Response.json(shieldsBadge(name, decision), { headers: badgeHeaders })
      return new Response(svgBadge(name, decision), {
        headers: { ...badgeHeaders, 'content-type': 'image/svg+xml' },
      })
    },
    { params: z.object({ file: BadgeFile }) },
  )
}

/** Which release a node runs is for those who are signed in. */
const withoutClient = ({ facts, ...details }: ServiceDetails): ServiceDetails => ({
  ...details,
  facts: facts && { ...facts, clientVersion: undefined },
})
