import { TRPCError, initTRPC } from '@trpc/server'

import type { FaultCode } from '../../shared/faults.ts'
import { Fault } from '../platform/fault.ts'

/** Who calls a procedure. */
export interface CallContext {
  /** Operators run the installation; the command line on the server's host is one, by its access to the socket. */
  readonly isOperator: boolean
  readonly requestId: string
}

const trpc = initTRPC.context<CallContext>().create({
  isDev: false, // otherwise errors carry stacks
  errorFormatter: ({ shape, error }) => ({
    ...shape,
    message: error.cause instanceof Fault ? error.cause.message : publicMessage(error),
    data: { ...shape.data, fault: error.cause instanceof Fault ? error.cause.code : undefined },
  }),
})

const publicMessage = (error: TRPCError): string =>
  error.code === 'INTERNAL_SERVER_ERROR' ? 'Something went wrong on our side' : error.message

const trpcCodes: Partial<Record<FaultCode, TRPCError['code']>> = {
  bad_request: 'BAD_REQUEST',
  invalid_request: 'UNPROCESSABLE_CONTENT',
  unauthorized: 'UNAUTHORIZED',
  forbidden: 'FORBIDDEN',
  permission_missing: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  conflict: 'CONFLICT',
  payload_too_large: 'PAYLOAD_TOO_LARGE',
  rate_limited: 'TOO_MANY_REQUESTS',
  unavailable: 'SERVICE_UNAVAILABLE',
}

/** A refusal keeps its text; anything else that is thrown stays internal. */
const faultsBecomeErrors = trpc.middleware(async ({ next }) => {
  const result = await next()
  if (result.ok || !(result.error.cause instanceof Fault)) return result
  const { cause } = result.error
  throw new TRPCError({
    code: trpcCodes[cause.code] ?? 'INTERNAL_SERVER_ERROR',
    message: cause.message,
    cause,
  })
})

const operatorsOnly = trpc.middleware(({ ctx, next }) => {
  if (!ctx.isOperator)
    throw new TRPCError({ code: 'FORBIDDEN', message: 'for operators of this installation' })
  return next()
})

export const router = trpc.router
export const publicProcedure = trpc.procedure.use(faultsBecomeErrors)
export const operatorProcedure = publicProcedure.use(operatorsOnly)
