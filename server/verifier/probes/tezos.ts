import * as z from 'zod/mini'

import { readAs } from './answer.ts'
import { TextHash, hash8OfText } from './block-hash.ts'
import { compareChain } from './chain-identity.ts'
import type { Probe } from './probe.ts'
import { NumberQuantity, Rfc3339Seconds } from './quantities.ts'
import { getJson } from './rest.ts'

const Header = z.object({
  chain_id: z.string(),
  hash: TextHash,
  level: NumberQuantity,
  timestamp: Rfc3339Seconds,
})

/** Octez' RPC. The chain id is derived from the genesis block, which therefore need not be asked for. */
export const tezosProbe: Probe = {
  async head(target, chain, exchange) {
    const header = readAs(Header, await getJson(target, '/chains/main/blocks/head/header', exchange))
    const head = { height: header.level, timestamp: header.timestamp, hash8: hash8OfText(header.hash) }
    return { ok: true, head, ...compareChain(header.chain_id, chain) }
  },

  async hashAt(target, height, exchange) {
    const hash = await getJson(target, `/chains/main/blocks/${height}/hash`, exchange)
    return hash8OfText(readAs(TextHash, hash))
  },
}
