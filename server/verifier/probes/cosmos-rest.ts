import * as z from 'zod/mini'

import { readAs } from './answer.ts'
import { Base64Hash, hash8OfBase64 } from './block-hash.ts'
import { compareChain } from './chain-identity.ts'
import type { Probe } from './probe.ts'
import { DecimalQuantity, Rfc3339Seconds } from './quantities.ts'
import { getJson } from './rest.ts'

const blocks = '/cosmos/base/tendermint/v1beta1/blocks'

const BlockId = z.object({ hash: Base64Hash })
const Block = z.object({
  block_id: BlockId,
  block: z.object({
    header: z.object({ chain_id: z.string(), height: DecimalQuantity, time: Rfc3339Seconds }),
  }),
})
const BlockAt = z.object({ block_id: BlockId })

/** The REST API of the Cosmos SDK (once LCD). Its hashes are those of CometBFT's RPC in Base64. */
export const cosmosRestProbe: Probe = {
  async head(target, chain, exchange) {
    const { block_id: id, block } = readAs(Block, await getJson(target, `${blocks}/latest`, exchange))
    const { chain_id: chainId, height, time: timestamp } = block.header
    return {
      ok: true,
      head: { height, timestamp, hash8: hash8OfBase64(id.hash) },
      ...compareChain(chainId, chain),
    }
  },

  async hashAt(target, height, exchange) {
    return hash8OfBase64(
      readAs(BlockAt, await getJson(target, `${blocks}/${height}`, exchange)).block_id.hash,
    )
  },
}
