import * as z from 'zod/mini'

import type { Target } from '../../../shared/verifier-protocol.ts'
import { readAs } from './answer.ts'
import { HexHash, hash8OfBitcoin } from './block-hash.ts'
import { compareChain } from './chain-identity.ts'
import { callOne } from './json-rpc.ts'
import type { ProbeExchange, Probe } from './probe.ts'
import { NumberQuantity } from './quantities.ts'

const ChainState = z.object({
  chain: z.string(),
  blocks: NumberQuantity,
  bestblockhash: HexHash,
  time: z.optional(NumberQuantity),
})
const Header = z.object({ time: NumberQuantity })

/** `initialblockdownload` is not read: it is true on every fresh regtest and on chains that stand still. */
export const bitcoinProbe: Probe = {
  async head(target, chain, exchange) {
    const answer = await callOne(target, { method: 'getblockchaininfo', params: [] }, exchange)
    const info = readAs(ChainState, answer)
    const timestamp = info.time ?? (await headerTime(target, info.bestblockhash, exchange))
    const head = { height: info.blocks, timestamp, hash8: hash8OfBitcoin(info.bestblockhash) }
    return { ok: true, head, ...compareChain(info.chain, chain) }
  },

  async hashAt(target, height, exchange) {
    return hash8OfBitcoin(await blockHash(target, height, exchange))
  },

  async genesis(target, exchange) {
    return (await blockHash(target, 0, exchange)).toLowerCase()
  },
}

/** Nodes built on Bitcoin Core before 23 give no `time`, and `mediantime` is about an hour old. */
async function headerTime(target: Target, hash: string, exchange: ProbeExchange): Promise<number> {
  const header = await callOne(target, { method: 'getblockheader', params: [hash] }, exchange)
  return readAs(Header, header).time
}

async function blockHash(target: Target, height: number, exchange: ProbeExchange): Promise<string> {
  return readAs(HexHash, await callOne(target, { method: 'getblockhash', params: [height] }, exchange))
}
