import { Elysia } from 'elysia'

import { type Fault, fault } from '../platform/fault.ts'
import { parseJsonBody, readBytes, requireJson } from '../platform/http/request-body.ts'
import { answerUntil } from './endless-answer.ts'
import type { PublicAddress } from '../platform/http/public-address.ts'
import { allowSeconds } from '../platform/http/request-facts.ts'
import { requireSameSite } from '../platform/http/same-site.ts'
import { mostStreamsEach } from './stream-places.ts'

interface TrpcRoutesOptions<Context> {
  /** tRPC's own adapter; `@elysiajs/trpc` speaks only version 10. With `refused` it says so in tRPC's words. */
  answer(request: Request, context: Context, refused?: Fault): Promise<Response>
  /** Who calls, by the cookies of the request. */
  contextOf(request: Request): Promise<Context>
  address(): PublicAddress
  /** Aborts when a stream has to end although its browser still reads; null: never. */
  endOf(context: Context): AbortSignal | null
  /** Room for one more stream of the caller, as in `StreamPlaces`. */
  takePlace(context: Context): (() => void) | null
  /** Of a call to these procedures, by that caller. */
  maxBodyBytes(procedures: string, context: Context): number
  /** Counts the mutations that a caller is about to make; resolves with why none of them may be made. */
  refuseMutations(count: number, context: Context): Promise<Fault | null>
  /** Ends the streams that are open, so that the server can stop. */
  closing: AbortSignal
}

/**
 * The console's API below `/trpc`. tRPC itself would let pages of any site call mutations, since it reads forms and
 * byte streams, which browsers send across sites without asking first.
 */
export function trpcRoutes<Context>(options: TrpcRoutesOptions<Context>) {
  const { answer, contextOf, endOf, takePlace, address, maxBodyBytes, refuseMutations, closing } = options

  /** A subscription: no time-out, but an end. */
  async function answerStream(request: Request): Promise<Response> {
    const end = endOf(await contextOf(request))
    // Read once more: what changed while it was read for the first time ended no stream.
    const context = await contextOf(request)
    const giveBack = takePlace(context)
    // Browsers tell their pages nothing of a refusal that is no stream.
    if (giveBack === null) return answer(request, context, tooManyStreams())
    allowSeconds(request, 0)
    return answerUntil(
      [request.signal, closing, ...(end === null ? [] : [end])],
      (signal) => answer(new Request(request.url, { headers: request.headers, signal }), context),
      giveBack,
    )
  }

  async function answerCall(request: Request): Promise<Response> {
    const response = await answer(request, await contextOf(request))
    if (response.headers.get('content-type') !== eventStream) return response
    await response.body?.cancel() // a stream that was asked for as if it were none would not end with the session
    throw fault('bad_request', `A subscription must be asked for with accept: ${eventStream}`)
  }

  // GET and POST by name: a wildcard GET of the console's files would win over a route for all methods.
  return new Elysia({ name: 'trpc' })
    .get('/trpc/*', async ({ request }) => {
      return isStream(request) ? answerStream(request) : answerCall(request)
    })
    .post(
      '/trpc/*',
      async ({ request }) => {
        requireSameSite(request, address())
        const context = await contextOf(request)
        const procedures = new URL(request.url).pathname.slice('/trpc/'.length)
        // tRPC takes mutations by POST only, and nothing else; several of one request are named with commas between.
        const refused = await refuseMutations(procedures.split(/,|%2c/i).length, context)
        return answer(
          await readJsonRequest(request, maxBodyBytes(procedures, context)),
          context,
          refused ?? undefined,
        )
      },
      { parse: 'none' },
    )
}

const tooManyStreams = (): Fault =>
  fault(
    'rate_limited',
    `This account has ${mostStreamsEach} live views open, which is as many as it may: close some of them`,
  )

const eventStream = 'text/event-stream'

const isStream = ({ headers }: Request): boolean =>
  /(?:^|,)\s*text\/event-stream\b/i.test(headers.get('accept') ?? '')

/** The same request with its body read inside our limits: tRPC knows none. */
async function readJsonRequest(request: Request, maxBytes: number): Promise<Request> {
  requireJson(request.headers)
  const bytes = await readBytes(request, maxBytes)
  if (bytes.length > 0) parseJsonBody(bytes)
  return new Request(request.url, {
    method: request.method,
    headers: request.headers,
    signal: request.signal,
    ...(bytes.length > 0 && { body: new Uint8Array(bytes) }),
  })
}
