import * as z from 'zod/mini'

import type { Target } from '../../../shared/verifier-protocol.ts'
import { readAs } from './answer.ts'
import { HexHash, hash8OfHex } from './block-hash.ts'
import { compareChain } from './chain-identity.ts'
import type { ProbeExchange, Probe } from './probe.ts'
import { DecimalQuantity, MicrosecondsText } from './quantities.ts'
import { getJson } from './rest.ts'

const Ledger = z.object({
  chain_id: z.int(),
  block_height: DecimalQuantity,
  ledger_timestamp: MicrosecondsText,
})
const Block = z.object({ block_hash: HexHash })

/** The ledger information at the root of the REST API. It has no hash, and no node serves the first block for ever. */
export const aptosProbe: Probe = {
  async head(target, chain, exchange) {
    const ledger = readAs(Ledger, await get(target, '', exchange))
    const head = { height: ledger.block_height, timestamp: ledger.ledger_timestamp, hash8: null }
    return { ok: true, head, ...compareChain(String(ledger.chain_id), chain) }
  },

  async hashAt(target, height, exchange) {
    const block = await get(target, `/blocks/by_height/${height}`, exchange)
    return hash8OfHex(readAs(Block, block).block_hash)
  },
}

/** Endpoints are written with and without the version at their end. */
function get(target: Target, path: string, exchange: ProbeExchange): Promise<unknown> {
  const hasVersion = new URL(target.endpoint).pathname.replace(/\/+$/, '').endsWith('/v1')
  return getJson(target, hasVersion ? path : `/v1${path}`, exchange)
}
