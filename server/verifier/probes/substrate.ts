import * as z from 'zod/mini'

import { readAs } from './answer.ts'
import { HexHash, hash8OfHex } from './block-hash.ts'
import type { CallTogether } from './call-together.ts'
import { compareChain } from './chain-identity.ts'
import { callOne } from './json-rpc.ts'
import { type Probe, ProbeFailure } from './probe.ts'
import { HexQuantity } from './quantities.ts'
import { readScaleU64 } from './scale.ts'

/** Storage key of `Timestamp.Now`: twox128("Timestamp") followed by twox128("Now"). */
const timestampNow = '0xf0c365c3cf59d671eb72da0e7a4113c49f1f0515f462cdcf84e0f1d6045dfcbb'

const Header = z.object({ number: HexQuantity })
const Stored = z.string().check(z.regex(/^0x[0-9a-fA-F]{16}$/))

/** A header has no timestamp; it is read from the state of the same block. `system_health` is not asked. */
export function createSubstrateProbe(callTogether: CallTogether): Probe {
  return {
    async head(target, chain, exchange) {
      const [bestHash, name] = await callTogether(
        target,
        [
          { method: 'chain_getBlockHash', params: [] },
          { method: 'system_chain', params: [] },
        ],
        exchange,
      )
      const hash = readAs(HexHash, bestHash)
      const identity = compareChain(readAs(z.string(), name), chain)

      const [header, stored] = await callTogether(
        target,
        [
          { method: 'chain_getHeader', params: [hash] },
          { method: 'state_getStorage', params: [timestampNow, hash] },
        ],
        exchange,
      )
      const milliseconds = readScaleU64(readAs(Stored, stored))
      if (milliseconds === null) throw new ProbeFailure('RPC_ERROR')
      const timestamp = Math.floor(milliseconds / 1000)
      return {
        ok: true,
        head: { height: readAs(Header, header).number, timestamp, hash8: hash8OfHex(hash) },
        ...identity,
      }
    },

    async hashAt(target, height, exchange) {
      const hash = await callOne(target, { method: 'chain_getBlockHash', params: [height] }, exchange)
      const known = readAs(z.nullable(HexHash), hash)
      return known === null ? null : hash8OfHex(known)
    },

    async genesis(target, exchange) {
      const hash = await callOne(target, { method: 'chain_getBlockHash', params: [0] }, exchange)
      return readAs(z.nullable(HexHash), hash)?.toLowerCase() ?? null
    },
  }
}
