import * as z from 'zod/mini'

import { type ServiceFacts, logRanges, stateDepths } from '../../../shared/service-facts.ts'
import type { Target } from '../../../shared/verifier-protocol.ts'
import { numbered, postJson } from './json-rpc.ts'
import { type ProbeExchange, ProbeFailure } from './probe.ts'
import { HexQuantity } from './quantities.ts'

const Answer = z.object({
  result: z.optional(z.unknown()),
  error: z.optional(z.nullable(z.object({ code: z.optional(z.number()) }))),
})
const Numbered = z.object({ number: HexQuantity })
const ClientVersion = z.string().check(z.minLength(1))

/** Methods that providers leave out most often. Without parameters they cost nothing: a node that has one says so. */
const optionalMethods = ['eth_getBlockReceipts', 'debug_traceBlockByNumber', 'trace_block'] as const
const methodNotFound = -32601

const nobody = `0x${'0'.repeat(40)}`
const hex = (height: number): string => `0x${Math.max(0, height).toString(16)}`

/**
 * Finds out what else a node can do: up to 14 small calls every few minutes, with few steps where more could be known.
 * Reports each fact as soon as it is known, because the time for all of them is limited.
 */
export async function findEvmFacts(
  target: Target,
  height: number,
  exchange: ProbeExchange,
  found: (facts: ServiceFacts) => void,
): Promise<void> {
  /** Resolves to null where the answer says nothing about the method. */
  async function call(method: string, params: unknown[]) {
    try {
      return Answer.safeParse(await postJson(target, numbered({ method, params }, 1), exchange)).data ?? null
    } catch (error) {
      if (error instanceof ProbeFailure && error.error !== 'TIMEOUT') return null
      throw error
    }
  }
  const resultOf = async (method: string, params: unknown[]) => (await call(method, params))?.result
  const lagOf = async (tag: 'finalized' | 'safe'): Promise<number | null> => {
    const block = Numbered.safeParse(await resultOf('eth_getBlockByNumber', [tag, false])).data
    return block === undefined ? null : Math.max(0, height - block.number)
  }
  const hasState = async (at: number) =>
    typeof (await resultOf('eth_getBalance', [nobody, hex(at)])) === 'string'
  const takesLogs = async (range: number) =>
    Array.isArray(
      await resultOf('eth_getLogs', [
        { address: nobody, fromBlock: hex(height - range + 1), toBlock: hex(height) },
      ]),
    )

  const version = ClientVersion.safeParse(await resultOf('web3_clientVersion', [])).data
  if (version !== undefined) found({ clientVersion: version.replace(/[^\x20-\x7e]/g, '').slice(0, 200) })
  const syncing = await resultOf('eth_syncing', [])
  if (syncing === false || (typeof syncing === 'object' && syncing !== null))
    found({ isSyncing: syncing !== false })
  const [finalizedLag, safeLag] = [await lagOf('finalized'), await lagOf('safe')]
  found({ ...(finalizedLag !== null && { finalizedLag }), ...(safeLag !== null && { safeLag }) })

  if (await hasState(height))
    found({ stateDepth: (await hasState(1)) ? null : await deepest(hasState, height) })
  const missing: string[] = []
  for (const method of optionalMethods)
    if ((await call(method, []))?.error?.code === methodNotFound) missing.push(method)
  found({ missingMethods: missing })
  let logRange = 0
  for (const range of logRanges) {
    if (range > height + 1 || !(await takesLogs(range))) break
    logRange = range
  }
  if (logRange > 0) found({ logRange })
}

/** Returns the largest of the depths at which there is state, by halving: two or three calls. */
async function deepest(hasState: (at: number) => Promise<boolean>, height: number): Promise<number> {
  let low = -1
  let high: number = stateDepths.length
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    const depth = stateDepths[middle] ?? 0
    if (depth < height && (await hasState(height - depth))) low = middle
    else high = middle
  }
  return stateDepths[low] ?? 0
}
