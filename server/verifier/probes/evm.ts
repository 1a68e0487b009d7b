import * as z from 'zod/mini'

import { readAs } from './answer.ts'
import { HexHash, hash8OfHex } from './block-hash.ts'
import type { CallTogether } from './call-together.ts'
import { compareChain } from './chain-identity.ts'
import { findEvmFacts } from './evm-facts.ts'
import { callOne } from './json-rpc.ts'
import type { Probe } from './probe.ts'
import { HexQuantity } from './quantities.ts'

/** Some chain ids exceed 2^53, so that they are compared as decimal text. */
const ChainId = z.pipe(
  z.string().check(z.regex(/^0x[0-9a-fA-F]{1,64}$/)),
  z.transform((hex) => BigInt(hex).toString()),
)

const Block = z.object({ number: HexQuantity, timestamp: HexQuantity, hash: HexHash })
const BlockHash = z.nullable(z.object({ hash: HexHash }))

/** `eth_syncing` and peer counts are not asked: they say nothing reliable about the head. */
export function createEvmProbe(callTogether: CallTogether): Probe {
  return {
    async head(target, chain, exchange) {
      const [chainId, latest] = await callTogether(
        target,
        [
          { method: 'eth_chainId', params: [] },
          { method: 'eth_getBlockByNumber', params: ['latest', false] },
        ],
        exchange,
      )
      const identity = compareChain(readAs(ChainId, chainId), chain)
      const block = readAs(Block, latest)
      const head = { height: block.number, timestamp: block.timestamp, hash8: hash8OfHex(block.hash) }
      return { ok: true, head, ...identity }
    },

    facts: findEvmFacts,

    async hashAt(target, height, exchange) {
      const params = [`0x${height.toString(16)}`, false]
      const block = await callOne(target, { method: 'eth_getBlockByNumber', params }, exchange)
      const hash = readAs(BlockHash, block)?.hash
      return hash === undefined ? null : hash8OfHex(hash)
    },

    async genesis(target, exchange) {
      const block = await callOne(
        target,
        { method: 'eth_getBlockByNumber', params: ['0x0', false] },
        exchange,
      )
      return readAs(BlockHash, block)?.hash.toLowerCase() ?? null
    },
  }
}
