import * as z from 'zod/mini'

import type { Target } from '../../../shared/verifier-protocol.ts'
import { readAs } from './answer.ts'
import { HexHash, hash8OfHex } from './block-hash.ts'
import type { ProbeExchange, Probe } from './probe.ts'
import { MillisecondsText, NumberQuantity } from './quantities.ts'
import { getJson } from './rest.ts'

const Block = z.object({
  blockID: HexHash,
  // Protobuf's JSON leaves out what is zero: the first block has neither number nor, on some networks, time.
  block_header: z.object({
    raw_data: z.object({ number: z._default(NumberQuantity, 0), timestamp: z._default(MillisecondsText, 0) }),
  }),
})

/**
 * java-tron's HTTP API, beside its JSON-RPC, which is of family `evm`. `detail=false` leaves the transactions out, with
 * which a block has up to a megabyte. The first 8 bytes of a block's id are its height, in both APIs.
 */
export const tronProbe: Probe = {
  async head(target, _chain, exchange) {
    const block = await getBlock(target, {}, exchange)
    const { number: height, timestamp } = block.block_header.raw_data
    return { ok: true, head: { height, timestamp, hash8: hash8OfHex(block.blockID) }, error: null }
  },

  async hashAt(target, height, exchange) {
    return hash8OfHex((await getBlock(target, { id_or_num: String(height) }, exchange)).blockID)
  },

  async genesis(target, exchange) {
    const { blockID } = await getBlock(target, { id_or_num: '0' }, exchange)
    return `0x${blockID.toLowerCase()}`
  },
}

async function getBlock(target: Target, which: { id_or_num?: string }, exchange: ProbeExchange) {
  return readAs(Block, await getJson(target, '/wallet/getblock', exchange, { ...which, detail: 'false' }))
}
