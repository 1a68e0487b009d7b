import * as z from 'zod/mini'

import { readAs } from './answer.ts'
import { TextHash, hash8OfText } from './block-hash.ts'
import type { CallTogether } from './call-together.ts'
import { compareChain } from './chain-identity.ts'
import { callOne } from './json-rpc.ts'
import type { Probe } from './probe.ts'
import { NumberQuantity } from './quantities.ts'

const Cid = z.object({ '/': TextHash })
const Cids = z.tuple([Cid], Cid)
const BlockHeader = z.object({ Timestamp: NumberQuantity })
const TipsetKey = z.object({ Cids })
const Tipset = z.object({ Cids, Blocks: z.tuple([BlockHeader], BlockHeader), Height: NumberQuantity })

/** Heights are epochs, and an epoch may have no tipset (null round): gaps between heights mean nothing. */
export function createFilecoinProbe(callTogether: CallTogether): Probe {
  return {
    async head(target, chain, exchange) {
      const [network, tipset] = await callTogether(
        target,
        [
          { method: 'Filecoin.StateNetworkName', params: [] },
          { method: 'Filecoin.ChainHead', params: [] },
        ],
        exchange,
      )
      const identity = compareChain(readAs(z.string(), network), chain)
      const { Height: height, Blocks: blocks, Cids: cids } = readAs(Tipset, tipset)
      const timestamp = blocks[0].Timestamp
      return { ok: true, head: { height, timestamp, hash8: hash8OfTipset(cids) }, ...identity }
    },

    /** Of a null round, the tipset before it: every node answers so. */
    async hashAt(target, height, exchange) {
      const call = { method: 'Filecoin.ChainGetTipSetByHeight', params: [height, null] }
      const { Cids: cids } = readAs(TipsetKey, await callOne(target, call, exchange))
      return hash8OfTipset(cids)
    },

    async genesis(target, exchange) {
      const tipset = await callOne(target, { method: 'Filecoin.ChainGetGenesis', params: [] }, exchange)
      return readAs(TipsetKey, tipset).Cids[0]['/']
    },
  }
}

/** A tipset is the set of its blocks; nodes list them by ticket, but sorting costs nothing. */
const hash8OfTipset = (cids: z.output<typeof Cids>): string =>
  hash8OfText(
    cids
      .map((cid) => cid['/'])
      .toSorted()
      .join(' '),
  )
