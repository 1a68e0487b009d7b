import * as z from 'zod/mini'

import { readAs } from './answer.ts'
import { Felt, canonicalFelt, hash8OfFelt } from './block-hash.ts'
import type { CallTogether } from './call-together.ts'
import { compareChain } from './chain-identity.ts'
import { callOne } from './json-rpc.ts'
import type { ProbeExchange, Probe } from './probe.ts'
import { AnyQuantity } from './quantities.ts'
import type { Target } from '../../../shared/verifier-protocol.ts'

const Block = z.object({ block_hash: Felt, block_number: AnyQuantity, timestamp: AnyQuantity })
const BlockHash = z.object({ block_hash: Felt })

/** `starknet_syncing` is not asked: it is false both before and after syncing. */
export function createStarknetProbe(callTogether: CallTogether): Probe {
  return {
    async head(target, chain, exchange) {
      const [chainId, latest] = await callTogether(
        target,
        [
          { method: 'starknet_chainId', params: [] },
          { method: 'starknet_getBlockWithTxHashes', params: ['latest'] },
        ],
        exchange,
      )
      const identity = compareChain(canonicalFelt(readAs(Felt, chainId)), chain)
      const block = readAs(Block, latest)
      const head = {
        height: block.block_number,
        timestamp: block.timestamp,
        hash8: hash8OfFelt(block.block_hash),
      }
      return { ok: true, head, ...identity }
    },

    async hashAt(target, height, exchange) {
      return hash8OfFelt(await blockHash(target, height, exchange))
    },

    async genesis(target, exchange) {
      return canonicalFelt(await blockHash(target, 0, exchange))
    },
  }
}

async function blockHash(target: Target, height: number, exchange: ProbeExchange): Promise<string> {
  const call = { method: 'starknet_getBlockWithTxHashes', params: [{ block_number: height }] }
  return readAs(BlockHash, await callOne(target, call, exchange)).block_hash
}
