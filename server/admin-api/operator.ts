import type { AuthorizedKey } from '../api-keys/api-keys.ts'
import type { AppRouter } from '../compose/router.ts'
import { callerOf, requestIdOf } from '../platform/http/request-facts.ts'
import { causeOf } from '../trpc/errors.ts'
import type { CallContext } from '../trpc/init.ts'

/** What cannot be read of a thing, and makes it another one all the same: its secrets. */
export interface WholeThings {
  readonly service: (id: string) => unknown
  readonly channel: (name: string) => unknown
}

/** An operator, on whose behalf a program acts. */
export interface Operator {
  readonly accountId: string
  /** The procedures of the console and the command line, with their schemas, refusals and audit entries. */
  readonly call: ReturnType<AppRouter['createCaller']>
  readonly whole: WholeThings
}

export type ActAs = (apiKey: AuthorizedKey, request: Request) => Operator

/** The guard has found that the key has the permission, and that its account is an operator's. */
export const createActAs =
  (router: AppRouter, whole: WholeThings): ActAs =>
  (apiKey, request) => ({
    accountId: apiKey.accountId,
    call: router.createCaller(contextOf(apiKey, request)),
    whole,
  })

/** The audit log names the key; nobody is signed in, so what needs a recent sign-in stays closed. */
function contextOf({ id, accountId, name }: AuthorizedKey, request: Request): CallContext {
  const label = `API key ${name}`
  return {
    account: { id: accountId, role: 'operator', isApproved: true, label, actor: { id, label } },
    session: null,
    isOperator: true,
    requestId: requestIdOf(request),
    caller: callerOf(request),
  }
}

/** Runs work that calls procedures; what they refuse is thrown as the fault that it is. */
export async function withFaults<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw causeOf(error)
  }
}
