import type { AnyRouter, TRPCError } from '@trpc/server'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'

import { Fault } from '../platform/fault.ts'
import type { Log } from '../platform/log.ts'
import { errorOf, maxBatchSize } from '../trpc/errors.ts'
import type { CallContext } from '../trpc/init.ts'

/**
 * Answers requests below `/trpc` with tRPC's own adapter, because `@elysiajs/trpc` speaks only version 10. With `refused`
 * no procedure is called, and the answer is that fault.
 */
export function serveTrpc(router: AnyRouter, log: Log) {
  return (request: Request, context: CallContext, refused?: Fault): Promise<Response> =>
    fetchRequestHandler({
      endpoint: '/trpc',
      req: request,
      router,
      maxBatchSize,
      createContext() {
        if (refused !== undefined) throw errorOf(refused)
        return context
      },
      // Answers belong to the signed-in caller alone and may hold a key. Streams have their own header.
      responseMeta: ({ type, errors }) =>
        type === 'subscription'
          ? {}
          : { headers: { 'cache-control': 'private, no-store', ...retryAfterOf(errors) } },
      onError: ({ error, path }) => {
        if (error.code === 'INTERNAL_SERVER_ERROR') {
          log.error('a procedure failed', { path, requestId: context.requestId, error: error.cause ?? error })
        }
      },
    })
}

/** When it is worth asking again: of several refusals, the last one to end. */
function retryAfterOf(errors: readonly TRPCError[]): { 'retry-after'?: string } {
  const waits = errors.flatMap(({ cause }) => (cause instanceof Fault ? [cause.retryAfterSec ?? 0] : []))
  const longest = Math.max(0, ...waits)
  return longest === 0 ? {} : { 'retry-after': String(Math.ceil(longest)) }
}
