import type { ProbeError, Target } from '../../../shared/verifier-protocol.ts'
import { ProbeFailure } from './probe.ts'
import { RecentMap } from '../../platform/recent-map.ts'

/** Asks an endpoint by the first of several APIs that it answers. */
export interface FirstAnswering<Api> {
  /**
   * Asks by the API that the endpoint answered last, or by one after the other where it has not answered any yet.
   * Rejects with the failure of the first API that was tried.
   */
  ask<Answer>(target: Target, askBy: (api: Api) => Promise<Answer>): Promise<Answer>
  /** Returns the API that the endpoint answered last; the first one where it has not answered any yet. */
  of(target: Target): Api
}

const rememberedEndpoints = 10_000

/** What an endpoint may answer to a request of an API that it does not have. Rate limits and time-outs are not among them. */
const mayBeOtherApi: ReadonlySet<ProbeError> = new Set(['HTTP_4XX', 'HTTP_5XX', 'NOT_JSON', 'RPC_ERROR'])

export function createFirstAnswering<Api>(apis: readonly [Api, ...Api[]]): FirstAnswering<Api> {
  const known = new RecentMap<string, Api>(rememberedEndpoints)

  async function askEach<Answer>(
    target: Target,
    askBy: (api: Api) => Promise<Answer>,
    [api, ...others]: readonly [Api, ...Api[]],
  ): Promise<Answer> {
    try {
      const answer = await askBy(api)
      known.set(target.endpoint, api)
      return answer
    } catch (failure) {
      const [next, ...rest] = others
      if (next === undefined || !isOtherApi(failure)) throw failure
      return askEach(target, askBy, [next, ...rest]).catch((later: unknown) => {
        throw isOtherApi(later) ? failure : later
      })
    }
  }

  return {
    async ask(target, askBy) {
      const api = known.get(target.endpoint)
      if (api === undefined) return askEach(target, askBy, apis)
      try {
        return await askBy(api)
      } catch (failure) {
        if (isOtherApi(failure)) known.delete(target.endpoint)
        throw failure
      }
    },
    of: (target) => known.get(target.endpoint) ?? apis[0],
  }
}

const isOtherApi = (failure: unknown): boolean =>
  failure instanceof ProbeFailure && mayBeOtherApi.has(failure.error)
