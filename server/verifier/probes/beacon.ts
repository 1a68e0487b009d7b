import * as z from 'zod/mini'

import type { Chain } from '../../../shared/chains.ts'
import type { Target } from '../../../shared/verifier-protocol.ts'
import { readAs } from './answer.ts'
import { findBeaconFacts } from './beacon-facts.ts'
import { HexHash, hash8OfHex } from './block-hash.ts'
import { type Probe, type ProbeExchange, ProbeFailure } from './probe.ts'
import { DecimalQuantity } from './quantities.ts'
import { RecentMap } from '../../platform/recent-map.ts'
import { getJson } from './rest.ts'

const rememberedEndpoints = 10_000
/** Nodes behind one address may be so many slots apart; a chain that goes back further may have been made anew. */
const mostSlotsBack = 4

const Header = z.object({
  data: z.object({
    root: HexHash,
    header: z.object({ message: z.object({ slot: DecimalQuantity }) }),
  }),
})
const Genesis = z.object({
  data: z.object({ genesis_time: DecimalQuantity, genesis_validators_root: HexHash }),
})
const Spec = z.object({
  data: z.object({
    SLOT_DURATION_MS: z.optional(DecimalQuantity),
    SECONDS_PER_SLOT: z.optional(DecimalQuantity),
  }),
})
const Root = z.object({ data: z.object({ root: HexHash }) })

/** What turns a slot into a time, and names the chain. It changes only with the chain itself. */
interface SlotClock {
  readonly genesisTime: number
  readonly secondsPerSlot: number
  readonly genesisRoot: string
  /** The highest slot that was seen. */
  newestSlot: number
}

/**
 * Consensus nodes by the standard Beacon API. Heights are slots; a header has no time, which follows from its slot.
 * `syncing` and peer counts do not decide: the slot says it better.
 */
export function createBeaconProbe(): Probe {
  const clocks = new RecentMap<string, SlotClock>(rememberedEndpoints)

  async function clockOf(target: Target, chain: Chain | null, exchange: ProbeExchange): Promise<SlotClock> {
    const known = clocks.get(target.endpoint)
    if (known) return known
    const { genesis_time: genesisTime, genesis_validators_root: root } = await genesisOf(target, exchange)
    const secondsPerSlot = await slotSeconds(target, chain, exchange)
    const clock = { genesisTime, secondsPerSlot, genesisRoot: root.toLowerCase(), newestSlot: 0 }
    clocks.set(target.endpoint, clock)
    return clock
  }

  return {
    async head(target, chain, exchange) {
      const known = await clockOf(target, chain, exchange)
      const { root, header } = readAs(
        Header,
        await getJson(target, '/eth/v1/beacon/headers/head', exchange),
      ).data
      const { slot } = header.message
      if (slot < known.newestSlot - mostSlotsBack) clocks.delete(target.endpoint)
      const clock = await clockOf(target, chain, exchange)
      clock.newestSlot = Math.max(slot, clock.newestSlot)
      const timestamp = clock.genesisTime + Math.floor(slot * clock.secondsPerSlot)
      const expected = chain?.genesisHash ?? clock.genesisRoot
      const error = expected === clock.genesisRoot ? null : 'WRONG_GENESIS'
      return { ok: true, head: { height: slot, timestamp, hash8: hash8OfHex(root) }, error }
    },

    facts: findBeaconFacts,

    /** A slot without a block is answered with 404. */
    async hashAt(target, height, exchange) {
      const path = `/eth/v1/beacon/blocks/${height}/root`
      return hash8OfHex(readAs(Root, await getJson(target, path, exchange)).data.root)
    },

    async genesis(target, exchange) {
      clocks.delete(target.endpoint) // another node may answer at this address by now
      return (await genesisOf(target, exchange)).genesis_validators_root.toLowerCase()
    },
  }
}

async function genesisOf(target: Target, exchange: ProbeExchange) {
  return readAs(Genesis, await getJson(target, '/eth/v1/beacon/genesis', exchange)).data
}

/** Some providers do not serve `config/spec`; the chain's own block time has to do then. */
async function slotSeconds(target: Target, chain: Chain | null, exchange: ProbeExchange): Promise<number> {
  try {
    const { data: spec } = readAs(Spec, await getJson(target, '/eth/v1/config/spec', exchange))
    const slotMs = spec.SLOT_DURATION_MS ?? 1000 * (spec.SECONDS_PER_SLOT ?? 0)
    if (slotMs > 0) return slotMs / 1000
    throw new ProbeFailure('RPC_ERROR')
  } catch (error) {
    const mayBeMissing = error instanceof ProbeFailure && ['HTTP_4XX', 'RPC_ERROR'].includes(error.error)
    if (!mayBeMissing || chain === null) throw error
    return chain.blockMs / 1000
  }
}
