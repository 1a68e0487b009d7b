import { Elysia } from 'elysia'

import { fault } from '../platform/fault.ts'
import { readBytes } from './body-bytes.ts'
import { parseJson } from './json-body.ts'
import type { PublicAddress } from './public-address.ts'
import { allowSeconds } from './request-facts.ts'
import { requestLimits } from './request-limits.ts'
import { requireSameSite } from './same-site.ts'

interface TrpcRoutesOptions<Context> {
  /** tRPC's own adapter; `@elysiajs/trpc` speaks only version 10. */
  answer(request: Request, context: Context): Promise<Response>
  /** Who calls, by the cookies of the request. */
  contextOf(request: Request): Promise<Context>
  address(): PublicAddress
  /** Ends the streams that are open, so that the server can stop. */
  closing: AbortSignal
}

/**
 * The console's API below `/trpc`. tRPC itself would let pages of any site call mutations, since it reads forms and
 * byte streams, which browsers send across sites without asking first.
 */
export function trpcRoutes<Context>({ answer, contextOf, address, closing }: TrpcRoutesOptions<Context>) {
  // GET and POST by name: a wildcard GET of the console's files would win over a route for all methods.
  return new Elysia({ name: 'trpc' })
    .get('/trpc/*', async ({ request }) => {
      const context = await contextOf(request)
      return answer(isStream(request) ? endlessRequest(request, closing) : request, context)
    })
    .post(
      '/trpc/*',
      async ({ request }) => {
        requireSameSite(request, address())
        const checked = await readJsonRequest(request)
        return answer(checked, await contextOf(request))
      },
      { parse: 'none' },
    )
}

const isStream = ({ headers }: Request): boolean =>
  /(?:^|,)\s*text\/event-stream\b/i.test(headers.get('accept') ?? '')

/** A subscription: no time-out, and an end when the server stops. */
function endlessRequest(request: Request, closing: AbortSignal): Request {
  allowSeconds(request, 0)
  return new Request(request.url, {
    headers: request.headers,
    signal: AbortSignal.any([request.signal, closing]),
  })
}

/** The same request with its body read inside our limits: tRPC knows none. */
async function readJsonRequest(request: Request): Promise<Request> {
  if (!/^application\/json\s*(?:;|$)/i.test(request.headers.get('content-type') ?? '')) {
    throw fault('unsupported_media_type', 'The content-type must be application/json')
  }
  const bytes = await readBytes(request, requestLimits.bodyBytes)
  if (bytes.length > 0) parseJson(bytes)
  return new Request(request.url, {
    method: request.method,
    headers: request.headers,
    signal: request.signal,
    ...(bytes.length > 0 && { body: new Uint8Array(bytes) }),
  })
}
