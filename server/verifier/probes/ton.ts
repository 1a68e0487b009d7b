import * as z from 'zod/mini'

import type { Target } from '../../../shared/verifier-protocol.ts'
import { readAs } from './answer.ts'
import { Base64Hash, hash8OfBase64 } from './block-hash.ts'
import { compareChain } from './chain-identity.ts'
import type { ProbeExchange, Probe } from './probe.ts'
import { DecimalQuantity } from './quantities.ts'
import { getJson } from './rest.ts'

const GlobalId = z.int()

const IndexedBlock = z.object({
  seqno: DecimalQuantity,
  root_hash: Base64Hash,
  global_id: GlobalId,
  gen_utime: DecimalQuantity,
})
const IndexedHead = z.object({ last: IndexedBlock })
const IndexedBlocks = z.object({ blocks: z.array(z.object({ root_hash: Base64Hash })) })

const BlockId = z.object({ seqno: DecimalQuantity, root_hash: Base64Hash })
const Masterchain = z.object({
  result: z.object({ last: BlockId, init: z.object({ root_hash: Base64Hash }) }),
})
const Header = z.object({
  result: z.object({ id: BlockId, global_id: GlobalId, gen_utime: DecimalQuantity }),
})

/** The masterchain has one shard, which each API writes in its own way. */
const masterchain = { workchain: '-1', shard: '-9223372036854775808' }
const indexedMasterchain = { workchain: '-1', shard: '8000000000000000', limit: '1' }

/**
 * TON's HTTP API: version 3 (an index) where the address ends in `/v3`, else version 2. Heights are those of the
 * masterchain, and the chain id is the global id: -239 for the main network, -3 for the test network.
 */
export const tonProbe: Probe = {
  async head(target, chain, exchange) {
    const {
      seqno,
      root_hash: rootHash,
      global_id: globalId,
      gen_utime: timestamp,
    } = isIndex(target)
      ? readAs(IndexedHead, await getJson(target, '/masterchainInfo', exchange)).last
      : await newestHeader(target, exchange)
    const head = { height: seqno, timestamp, hash8: hash8OfBase64(rootHash) }
    return { ok: true, head, ...compareChain(String(globalId), chain) }
  },

  async hashAt(target, height, exchange) {
    const seqno = String(height)
    if (!isIndex(target)) return hash8OfBase64((await headerOf(target, seqno, exchange)).root_hash)
    const answer = await getJson(target, '/blocks', exchange, { ...indexedMasterchain, seqno })
    const [block] = readAs(IndexedBlocks, answer).blocks
    return block === undefined ? null : hash8OfBase64(block.root_hash)
  },

  /** The root hash of the zero state, which is no block of the index. */
  async genesis(target, exchange) {
    if (isIndex(target)) return null
    return readAs(Masterchain, await getJson(withoutRpc(target), '/getMasterchainInfo', exchange)).result.init
      .root_hash
  },
}

const isIndex = (target: Target): boolean => /\/v3\/?$/.test(new URL(target.endpoint).pathname)

/** Version 2 answers JSON-RPC below the same path as its plain requests. */
const withoutRpc = (target: Target): Target => ({
  ...target,
  endpoint: target.endpoint.replace(/\/jsonRPC\/?(?=$|\?)/i, ''),
})

async function newestHeader(target: Target, exchange: ProbeExchange) {
  const info = await getJson(withoutRpc(target), '/getMasterchainInfo', exchange)
  return headerOf(target, String(readAs(Masterchain, info).result.last.seqno), exchange)
}

async function headerOf(target: Target, seqno: string, exchange: ProbeExchange) {
  const answer = await getJson(withoutRpc(target), '/getBlockHeader', exchange, { ...masterchain, seqno })
  const { id, global_id: globalId, gen_utime: time } = readAs(Header, answer).result
  return { ...id, global_id: globalId, gen_utime: time }
}
