import { tracked } from '@trpc/server'

import type { Decision } from '../../shared/health.ts'
import {
  type AskedProcesses,
  isGap,
  type LiveRequests,
  RequestCountsQuery,
  type RequestHistory,
  RequestLiveQuery,
  type RequestPage,
  RequestQuery,
  type ShownRequest,
  type UpstreamHealth,
} from '../../shared/request-log.ts'
import { isFault } from '../platform/fault.ts'
import { type AccountIdOf, type AskedScope, askedAccount } from '../trpc/any-account.ts'
import { type CallContext, memberProcedure, router } from '../trpc/init.ts'
import type { Asked, FleetRequests } from './fleet-requests.ts'
import type { OwnedRequest } from './read-requests.ts'

/** What the page shows beside requests. */
export interface RequestSurroundings {
  /** Resolves to the query keys that an account has. */
  readonly keysOf: (accountId: string) => Promise<readonly { readonly id: string; readonly name: string }[]>
  readonly upstreamsOf: (
    endpoint: string,
  ) => readonly { readonly id: string; readonly serviceId: string | null }[]
  readonly decisionOf: (serviceId: string) => Decision
  readonly accountIdOf: AccountIdOf
}

/** The request log: everybody sees the requests of their own keys, operators those of all accounts. */
export function requestLogProcedures(fleet: FleetRequests, world: RequestSurroundings) {
  const scopeOf = (ctx: CallContext, asked: AskedScope) =>
    askedAccount(ctx, asked, 'requests', world.accountIdOf)

  return router({
    list: memberProcedure.input(RequestQuery).query(async ({ ctx, input }): Promise<RequestPage> => {
      const { account, all, ...query } = input
      const scope = await scopeOf(ctx, { account, all })
      const { requests, nextCursor, ...asked } = await fleet.list(scope, query)
      return {
        requests: await shown(requests, world),
        nextCursor,
        health: healthOf(requests, world),
        ...named(asked, ctx),
      }
    }),

    counts: memberProcedure
      .input(RequestCountsQuery)
      .query(async ({ ctx, input }): Promise<RequestHistory> => {
        const { account, all, ...filter } = input
        const { counts, ...asked } = await fleet.counts(await scopeOf(ctx, { account, all }), filter)
        return { counts, ...named(asked, ctx) }
      }),

    /** Streams requests as they are logged, those that came since the subscription began. */
    live: memberProcedure.input(RequestLiveQuery).subscription(async function* ({ ctx, input, signal }) {
      if (signal === undefined) throw new TypeError('a stream without an end')
      const { account, all, lastEventId, ...filter } = input
      const scope = await scopeOf(ctx, { account, all })
      let event = Number(lastEventId ?? 0) || 0
      for await (const { requests, left, ...asked } of fleet.follow(scope, filter, signal)) {
        event++
        yield tracked<LiveRequests>(String(event), {
          requests: await shown(requests, world),
          left,
          health: healthOf(requests, world),
          ...named(asked, ctx),
        })
      }
    }),
  })
}

/** Names the processes that are silent. Where they are is for operators alone. */
const named = ({ processes, silent }: Asked, { isOperator }: CallContext): AskedProcesses => ({
  processes,
  silent: silent.map(({ id, url }) => (isOperator ? `${id} at ${url}` : id)),
})

/** Adds the names of keys. Requests of keys that were deleted are left out, and names while they cannot be read. */
async function shown(
  requests: readonly OwnedRequest[],
  { keysOf }: RequestSurroundings,
): Promise<ShownRequest[]> {
  const names = new Map<string, ReadonlyMap<string, string> | null>()
  for (const accountId of new Set(requests.map((request) => request.accountId)))
    names.set(accountId, await namesOf(accountId, keysOf))
  return requests.flatMap((request): ShownRequest[] => {
    if (isGap(request)) return [{ ...request, keyName: null }]
    const known = names.get(request.accountId) ?? null
    const keyName = known?.get(request.keyId) ?? null
    return known !== null && keyName === null ? [] : [{ ...request, keyName }]
  })
}

async function namesOf(
  accountId: string,
  keysOf: RequestSurroundings['keysOf'],
): Promise<ReadonlyMap<string, string> | null> {
  try {
    return new Map((await keysOf(accountId)).map(({ id, name }) => [id, name]))
  } catch (error) {
    if (isFault(error, 'unavailable')) return null
    throw error
  }
}

/** Returns what health says now of the monitored upstreams that requests were sent to. */
function healthOf(requests: readonly OwnedRequest[], world: RequestSurroundings): UpstreamHealth[] {
  const endpoints = new Set(requests.flatMap((request) => (isGap(request) ? [] : [request.endpoint])))
  return [...endpoints].flatMap((endpoint) =>
    world.upstreamsOf(endpoint).flatMap(({ id, serviceId }) => {
      if (serviceId === null) return []
      return [{ endpoint, upstream: id, serviceId, decision: world.decisionOf(serviceId) }]
    }),
  )
}
