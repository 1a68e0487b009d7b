import * as z from 'zod/mini'

import type { Target } from '../../../shared/verifier-protocol.ts'
import { readAs } from './answer.ts'
import { HexHash, hash8OfHex } from './block-hash.ts'
import { postJson } from './json-rpc.ts'
import { type Probe, type ProbeExchange, ProbeFailure } from './probe.ts'
import { DecimalQuantity, NumberQuantity } from './quantities.ts'

/** The XRP Ledger counts seconds from the beginning of 2000. */
const rippleEpoch = 946_684_800

const Ledger = z.object({
  ledger_hash: HexHash,
  ledger_index: DecimalQuantity,
  validated: z.literal(true),
  ledger: z.object({ close_time: NumberQuantity }),
})
const ServerAnswer = z.object({ info: z.object({ network_id: z.optional(z.int()) }) })

const Envelope = z.object({ result: z.object({ error: z.optional(z.string()) }) })

/** rippled's and clio's answers to a client that asks too often, or while they are too busy for anybody. */
const saysTooMany: ReadonlySet<string | undefined> = new Set(['slowDown', 'tooBusy'])

/** The newest validated ledger by rippled's JSON-RPC, which is older than version 2.0. A ledger does not name its network. */
export const xrplProbe: Probe = {
  async head(target, _chain, exchange) {
    const ledger = await getLedger(target, 'validated', exchange)
    const timestamp = ledger.ledger.close_time + rippleEpoch
    const head = { height: ledger.ledger_index, timestamp, hash8: hash8OfHex(ledger.ledger_hash) }
    return { ok: true, head, error: null }
  },

  async hashAt(target, height, exchange) {
    return hash8OfHex((await getLedger(target, height, exchange)).ledger_hash)
  },

  async chainId(target, exchange) {
    const { network_id: id } = readAs(ServerAnswer, await call(target, 'server_info', {}, exchange)).info
    return id === undefined ? null : String(id)
  },
}

async function getLedger(target: Target, index: 'validated' | number, exchange: ProbeExchange) {
  return readAs(Ledger, await call(target, 'ledger', { ledger_index: index }, exchange))
}

async function call(
  target: Target,
  method: string,
  params: Record<string, unknown>,
  exchange: ProbeExchange,
): Promise<unknown> {
  const answer = await postJson(target, { method, params: [params] }, exchange)
  const { result } = readAs(z.object({ result: z.unknown() }), answer)
  const { error } = readAs(Envelope, answer).result
  if (error !== undefined) throw new ProbeFailure(saysTooMany.has(error) ? 'RATE_LIMITED' : 'RPC_ERROR')
  return result
}
