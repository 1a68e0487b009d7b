import * as z from 'zod/mini'

import type { Chain } from '../../../shared/chains.ts'
import { readAs } from './answer.ts'
import { TextHash, hash8OfText } from './block-hash.ts'
import { compareChain } from './chain-identity.ts'
import type { Probe } from './probe.ts'
import { NumberQuantity } from './quantities.ts'
import { getJson } from './rest.ts'

const Status = z.object({ 'last-round': NumberQuantity })
const Block = z.object({
  block: z.object({ rnd: NumberQuantity, ts: NumberQuantity, gen: z.string(), gh: z.string() }),
})
const BlockHash = z.object({ blockHash: TextHash })

/** algod's REST API. The status has no time; the header of its round has, and it names the chain and its genesis. */
export const algorandProbe: Probe = {
  async head(target, chain, exchange) {
    const status = readAs(Status, await getJson(target, '/v2/status', exchange))
    const path = `/v2/blocks/${status['last-round']}`
    const { block } = readAs(Block, await getJson(target, path, exchange, { 'header-only': 'true' }))
    const head = { height: block.rnd, timestamp: block.ts, hash8: null }
    const named = compareChain(block.gen, chain)
    return { ok: true, head, ...(named.error === null ? { error: compareGenesis(block.gh, chain) } : named) }
  },

  async hashAt(target, height, exchange) {
    const answer = await getJson(target, `/v2/blocks/${height}/hash`, exchange)
    return hash8OfText(readAs(BlockHash, answer).blockHash)
  },
}

function compareGenesis(named: string, chain: Chain | null): 'WRONG_GENESIS' | null {
  const expected = chain?.genesisHash ?? null
  return expected === null || expected === named ? null : 'WRONG_GENESIS'
}
