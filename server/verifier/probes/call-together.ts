import * as z from 'zod/mini'

import type { ProbeError, Target } from '../../../shared/verifier-protocol.ts'
import { resultOf } from './answer.ts'
import { type Call, callOne, numbered, postJson } from './json-rpc.ts'
import { type ProbeExchange, ProbeFailure } from './probe.ts'
import { RecentMap } from './recent-map.ts'

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

/** Failures with which an endpoint without batches may answer one. Rate limits and time-outs are not among them. */
const mayBeRefusal: ReadonlySet<ProbeError> = new Set(['HTTP_4XX', 'HTTP_5XX', 'RPC_ERROR'])

const Answers = z.array(z.looseObject({ id: z.optional(z.unknown()) }))

/** Endpoints that took single calls after they had refused a batch are remembered until a single call fails. */
export function createCallTogether(): CallTogether {
  const takesOnlyOne = new RecentMap<string, true>(rememberedEndpoints)

  return async (target, calls, exchange) => {
    if (!takesOnlyOne.get(target.endpoint)) {
      const results = await callAsBatch(target, calls, exchange)
      if (results) return results
    }
    try {
      const results = await callOneByOne(target, calls, exchange)
      takesOnlyOne.set(target.endpoint, true)
      return results
    } catch (error) {
      takesOnlyOne.delete(target.endpoint)
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
