import * as z from 'zod/mini'

import { readAs } from './answer.ts'
import { HexHash, hash8OfHex } from './block-hash.ts'
import type { CallTogether } from './call-together.ts'
import { compareChain } from './chain-identity.ts'
import { createFirstAnswering } from './first-answering.ts'
import type { Probe } from './probe.ts'
import { DecimalQuantity, Rfc3339Seconds } from './quantities.ts'
import { getJson } from './rest.ts'

const Root = z.object({
  history_latest_ledger: DecimalQuantity,
  history_latest_ledger_closed_at: Rfc3339Seconds,
  network_passphrase: z.string(),
})
const LedgerHash = z.object({ hash: HexHash })

const Network = z.object({ passphrase: z.string() })
const Health = z.object({ latestLedger: DecimalQuantity, latestLedgerCloseTime: DecimalQuantity })

/**
 * Horizon, or Stellar RPC (once Soroban RPC), whichever the endpoint answers. Of Horizon it is the ledger that it serves
 * and not the newer one of the core behind it. Neither tells a hash with its head, and Stellar RPC tells one only together
 * with a whole ledger.
 */
export function createStellarProbe(callTogether: CallTogether): Probe {
  const apis = createFirstAnswering(['horizon', 'rpc'] as const)
  return {
    head: (target, chain, exchange) =>
      apis.ask(target, async (api) => {
        if (api === 'horizon') {
          const root = readAs(Root, await getJson(target, '/', exchange))
          const head = {
            height: root.history_latest_ledger,
            timestamp: root.history_latest_ledger_closed_at,
            hash8: null,
          }
          return { ok: true, head, ...compareChain(root.network_passphrase, chain) }
        }
        const calls = [
          { method: 'getNetwork', params: {} },
          { method: 'getHealth', params: {} },
        ]
        const [network, health] = await callTogether(target, calls, exchange)
        const { latestLedger: height, latestLedgerCloseTime: timestamp } = readAs(Health, health)
        const identity = compareChain(readAs(Network, network).passphrase, chain)
        return { ok: true, head: { height, timestamp, hash8: null }, ...identity }
      }),

    async hashAt(target, height, exchange) {
      if (apis.of(target) === 'rpc') return null
      return hash8OfHex(readAs(LedgerHash, await getJson(target, `/ledgers/${height}`, exchange)).hash)
    },
  }
}
