import type { AnyRouter, TRPCError } from '@trpc/server'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'

import { idempotencyHeader } from '../../shared/idempotency.ts'
import { Fault } from '../platform/fault.ts'
import { type DoOnce, createDoOnce } from '../platform/idempotency/do-once.ts'
import { createIdempotency, hashBy } from '../platform/idempotency/idempotency.ts'
import type { Log } from '../platform/log.ts'
import { sharedSecret } from '../platform/shared-secrets.ts'
import { errorOf, maxBatchSize } from '../trpc/errors.ts'
import type { CallContext, RepeatableCall } from '../trpc/init.ts'
import type { CoreServices } from './core-services.ts'

/**
 * Answers requests below `/trpc` with tRPC's own adapter, because `@elysiajs/trpc` speaks only version 10. With `refused`
 * no procedure is called, and the answer is that fault. Without `doOnce` every request is done, whatever key it has.
 */
export function serveTrpc(router: AnyRouter, log: Log, doOnce: DoOnce | null = null) {
  return (request: Request, context: CallContext, refused?: Fault): Promise<Response> =>
    fetchRequestHandler({
      endpoint: '/trpc',
      req: request,
      router,
      maxBatchSize,
      createContext() {
        if (refused !== undefined) throw errorOf(refused)
        return doOnce === null ? context : { ...context, ...onceOf(request, doOnce) }
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

/** The same for the console, which gives a change of which no answer came its key again. */
export async function serveRepeatableTrpc(router: AnyRouter, { database, vault, clock, log }: CoreServices) {
  const hashOf = hashBy(await sharedSecret(database, vault, 'console-changes'))
  const idempotency = createIdempotency({ database, vault, hashOf, now: clock.now, log, isWaitedFor: true })
  return serveTrpc(router, log, createDoOnce({ database, idempotency, log }))
}

function onceOf({ headers }: Request, doOnce: DoOnce): Pick<RepeatableCall, 'once'> {
  const key = headers.get(idempotencyHeader)
  if (key === null) return {}
  return { once: (accountId, content, work) => doOnce({ accountId, key, content }, work) }
}

/** When it is worth asking again: of several refusals, the last one to end. */
function retryAfterOf(errors: readonly TRPCError[]): { 'retry-after'?: string } {
  const waits = errors.flatMap(({ cause }) => (cause instanceof Fault ? [cause.retryAfterSec ?? 0] : []))
  const longest = Math.max(0, ...waits)
  return longest === 0 ? {} : { 'retry-after': String(Math.ceil(longest)) }
}
