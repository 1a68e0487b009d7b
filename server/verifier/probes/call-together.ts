import * as z from 'zod/mini'

import type { ProbeError, Target } from '../../../shared/verifier-protocol.ts'
import { resultOf } from './answer.ts'
import { type Call, callOne, numbered, postJson } from './json-rpc.ts'
import { type ProbeExchange, ProbeFailure } from './probe.ts'
import { RecentMap } from '../../platform/recent-map.ts'

/**
 * Makes several JSON-RPC calls in one round trip where the endpoint takes batches, and one after the other where it
 * does not. Returns the results in the order of the calls.
 * @throws ProbeFailure of the first call that failed
 */
export type CallTogether = (
  target: Target,
  calls: readonly Call[],
  exchange: ProbeExchange,
) => Promise<unknown[]>

const rememberedEndpoints = 10_000

/** Failures with which an endpoint without batches may answer one, and with which nothing else is wrong. */
const mayBeRefusal: ReadonlySet<ProbeError> = new Set(['HTTP_4XX', 'RPC_ERROR'])

const Answers = z.array(z.looseObject({ id: z.optional(z.unknown()) }))

/**
 * What an endpoint takes is remembered until it fails. A bad status (HTTP 5xx) is a failed try, and not hidden behind
 * single calls that go well: an endpoint that never took a batch is asked one by one in the next try, and one that did
 * with a batch again, since only one of its backends may be broken.
 */
export function createCallTogether(): CallTogether {
  const taken = new RecentMap<string, 'batches' | 'single calls'>(rememberedEndpoints)

  async function callInBatch(...[target, calls, exchange]: Parameters<CallTogether>) {
    try {
      const results = await callAsBatch(target, calls, exchange)
      if (results) taken.set(target.endpoint, 'batches')
      return results
    } catch (error) {
      const isBadStatus = error instanceof ProbeFailure && error.error === 'HTTP_5XX'
      if (isBadStatus && taken.get(target.endpoint) === undefined) taken.set(target.endpoint, 'single calls')
      else if (isBadStatus) taken.delete(target.endpoint)
      throw error
    }
  }

  return async (target, calls, exchange) => {
    if (taken.get(target.endpoint) !== 'single calls') {
      const results = await callInBatch(target, calls, exchange)
      if (results) return results
    }
    try {
      const results = await callOneByOne(target, calls, exchange)
      taken.set(target.endpoint, 'single calls')
      return results
    } catch (error) {
      taken.delete(target.endpoint)
      throw error
    }
  }
}

/** Resolves to the results, or to null when the answer may mean that the endpoint takes no batches. */
async function callAsBatch(
  target: Target,
  calls: readonly Call[],
  exchange: ProbeExchange,
): Promise<unknown[] | null> {
  const body = await postBatch(target, calls, exchange)
  const answers = Answers.safeParse(body)
  if (!answers.success) return null

  // JSON-RPC 2.0 section 6: a batch's answers come in any order.
  const byId = new Map(answers.data.map((answer) => [answer.id, answer]))
  const ordered = calls.map((_, index) => byId.get(index + 1))
  if (ordered.includes(undefined)) return null
  return ordered.map((answer) => resultOf(answer, target.family))
}

async function postBatch(target: Target, calls: readonly Call[], exchange: ProbeExchange): Promise<unknown> {
  try {
    const body = await postJson(
      target,
      calls.map((call, index) => numbered(call, index + 1)),
      exchange,
    )
    // One error in place of the list is a refusal of the batch, unless it says that there were too many.
    return Array.isArray(body) ? body : resultOf(body, target.family)
  } catch (error) {
    if (error instanceof ProbeFailure && mayBeRefusal.has(error.error)) return null
    throw error
  }
}

async function callOneByOne(
  target: Target,
  calls: readonly Call[],
  exchange: ProbeExchange,
): Promise<unknown[]> {
  const results: unknown[] = []
  for (const call of calls) results.push(await callOne(target, call, exchange))
  return results
}
