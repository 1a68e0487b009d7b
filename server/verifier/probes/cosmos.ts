import * as z from 'zod/mini'

import type { Target } from '../../../shared/verifier-protocol.ts'
import { readAs, resultOf } from './answer.ts'
import { HexHash, hash8OfHex } from './block-hash.ts'
import { compareChain } from './chain-identity.ts'
import type { ProbeExchange, Probe } from './probe.ts'
import { DecimalQuantity, Rfc3339Seconds } from './quantities.ts'
import { getJson } from './rest.ts'

const Status = z.object({
  node_info: z.object({ network: z.string() }),
  sync_info: z.object({
    latest_block_height: DecimalQuantity,
    latest_block_time: Rfc3339Seconds,
    latest_block_hash: HexHash,
  }),
})
const Block = z.object({ block_id: z.object({ hash: HexHash }) })

/** CometBFT's RPC. `catching_up` does not decide: the height says it better. No call gives the genesis hash. */
export const cosmosProbe: Probe = {
  async head(target, chain, exchange) {
    const { node_info: node, sync_info: sync } = readAs(Status, await get(target, '/status', {}, exchange))
    const head = {
      height: sync.latest_block_height,
      timestamp: sync.latest_block_time,
      hash8: hash8OfHex(sync.latest_block_hash),
    }
    return { ok: true, head, ...compareChain(node.network, chain) }
  },

  async hashAt(target, height, exchange) {
    const block = await get(target, '/block', { height: String(height) }, exchange)
    return hash8OfHex(readAs(Block, block).block_id.hash)
  },
}

async function get(
  target: Target,
  path: string,
  query: Record<string, string>,
  exchange: ProbeExchange,
): Promise<unknown> {
  const body = await getJson(target, path, exchange, query)
  return isWrapped(body) ? resultOf(body, 'cosmos') : body
}

/** Sei's fork of CometBFT answers with the bare result. */
const isWrapped = (body: unknown): boolean =>
  typeof body !== 'object' || body === null || 'result' in body || 'error' in body
