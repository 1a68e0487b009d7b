import * as z from 'zod/mini'

import type { Target } from '../../../shared/verifier-protocol.ts'
import { readAs } from './answer.ts'
import { HexHash, hash8OfHex } from './block-hash.ts'
import { compareChain } from './chain-identity.ts'
import { createFirstAnswering } from './first-answering.ts'
import type { ProbeExchange, Probe, ProbedHead } from './probe.ts'
import { DecimalQuantity, NumberQuantity, Rfc3339Seconds } from './quantities.ts'
import { getJson } from './rest.ts'

interface Tip extends ProbedHead {
  /** The network's magic number, where the same answer tells it. */
  readonly magic: number | null
}

/** One of the APIs in front of a Cardano node, which has none over HTTP itself. */
interface Api {
  tip(target: Target, exchange: ProbeExchange): Promise<Tip>
  magic(target: Target, exchange: ProbeExchange): Promise<number | null>
  hashAt(target: Target, height: number, exchange: ProbeExchange): Promise<string | null>
}

const BlockfrostBlock = z.object({ time: NumberQuantity, height: NumberQuantity, hash: HexHash })
const BlockfrostGenesis = z.object({ network_magic: z.int() })

const blockfrost: Api = {
  async tip(target, exchange) {
    const block = readAs(BlockfrostBlock, await getJson(target, '/blocks/latest', exchange))
    return { height: block.height, timestamp: block.time, hash8: hash8OfHex(block.hash), magic: null }
  },
  async magic(target, exchange) {
    return readAs(BlockfrostGenesis, await getJson(target, '/genesis', exchange)).network_magic
  },
  async hashAt(target, height, exchange) {
    return hash8OfHex(readAs(BlockfrostBlock, await getJson(target, `/blocks/${height}`, exchange)).hash)
  },
}

const KoiosTip = z.tuple([
  z.object({
    hash: HexHash,
    block_no: z.optional(NumberQuantity),
    block_height: z.optional(NumberQuantity), // its name since version 1.3
    block_time: NumberQuantity,
  }),
])
const KoiosHeight = NumberQuantity
const KoiosGenesis = z.tuple([z.object({ networkmagic: DecimalQuantity })])
const KoiosBlocks = z.array(z.object({ hash: HexHash }))

const koios: Api = {
  async tip(target, exchange) {
    const [tip] = readAs(KoiosTip, await getJson(target, '/tip', exchange))
    const height = readAs(KoiosHeight, tip.block_height ?? tip.block_no)
    return { height, timestamp: tip.block_time, hash8: hash8OfHex(tip.hash), magic: null }
  },
  async magic(target, exchange) {
    return readAs(KoiosGenesis, await getJson(target, '/genesis', exchange))[0].networkmagic
  },
  async hashAt(target, height, exchange) {
    const query = { select: 'hash', block_height: `eq.${height}` }
    const [block] = readAs(KoiosBlocks, await getJson(target, '/blocks', exchange, query))
    return block === undefined ? null : hash8OfHex(block.hash)
  },
}

/** Since Shelley a slot takes one second; the time of slot 0, had it always been so (Unix seconds). */
const networks: Readonly<Record<string, { readonly magic: number; readonly slotZeroAt: number }>> = {
  mainnet: { magic: 764_824_073, slotZeroAt: 1_591_566_291 },
  preprod: { magic: 1, slotZeroAt: 1_655_683_200 },
  preview: { magic: 2, slotZeroAt: 1_666_656_000 },
}

const OgmiosHealth = z.object({
  lastKnownTip: z.object({ slot: NumberQuantity, id: HexHash, height: NumberQuantity }),
  lastTipUpdate: Rfc3339Seconds,
  network: z.optional(z.nullable(z.string())),
})

const ogmios: Api = {
  async tip(target, exchange) {
    const health = readAs(OgmiosHealth, await getJson(target, '/health', exchange))
    const { slot, id, height } = health.lastKnownTip
    const network = networks[health.network ?? '']
    // The time of the last update is now, also while the node still reads blocks of long ago.
    const timestamp = network === undefined ? health.lastTipUpdate : network.slotZeroAt + slot
    return { height, timestamp, hash8: hash8OfHex(id), magic: network?.magic ?? null }
  },
  magic: async (target, exchange) => (await ogmios.tip(target, exchange)).magic,
  hashAt: () => Promise.resolve(null),
}

/** Blockfrost (and what speaks its API, such as Dolos), Koios or Ogmios, whichever the endpoint answers. */
export function createCardanoProbe(): Probe {
  const apis = createFirstAnswering([blockfrost, koios, ogmios])
  return {
    async head(target, chain, exchange) {
      const { magic, ...head } = await apis.ask(target, (api) => api.tip(target, exchange))
      return { ok: true, head, ...(magic === null ? { error: null } : compareChain(String(magic), chain)) }
    },
    hashAt: (target, height, exchange) => apis.of(target).hashAt(target, height, exchange),
    async chainId(target, exchange) {
      const magic = await apis.of(target).magic(target, exchange)
      return magic === null ? null : String(magic)
    },
  }
}
