import * as z from 'zod/mini'

import { readAs } from './answer.ts'
import { TextHash, hash8OfText } from './block-hash.ts'
import { compareChain } from './chain-identity.ts'
import { callOne } from './json-rpc.ts'
import type { Probe } from './probe.ts'
import { NumberQuantity, Rfc3339Seconds } from './quantities.ts'

const Status = z.object({
  chain_id: z.string(),
  sync_info: z.object({
    latest_block_height: NumberQuantity,
    latest_block_time: Rfc3339Seconds,
    latest_block_hash: TextHash,
  }),
})
const Genesis = z.object({ genesis_hash: z.optional(TextHash) })
const Block = z.object({ header: z.object({ hash: TextHash }) })
const status = { method: 'status', params: [] }

/** `syncing` does not decide: the height says it better. */
export const nearProbe: Probe = {
  async head(target, chain, exchange) {
    const { chain_id: chainId, sync_info: sync } = readAs(Status, await callOne(target, status, exchange))
    const head = {
      height: sync.latest_block_height,
      timestamp: sync.latest_block_time,
      hash8: hash8OfText(sync.latest_block_hash),
    }
    return { ok: true, head, ...compareChain(chainId, chain) }
  },

  /** Heights are skipped when their producer was away; asking for one is an error on every node. */
  async hashAt(target, height, exchange) {
    const block = await callOne(target, { method: 'block', params: { block_id: height } }, exchange)
    return hash8OfText(readAs(Block, block).header.hash)
  },

  async genesis(target, exchange) {
    return readAs(Genesis, await callOne(target, status, exchange)).genesis_hash ?? null
  },
}
