import * as z from 'zod/mini'

import type { Target } from '../../../shared/verifier-protocol.ts'
import { readAs } from './answer.ts'
import { TextHash, hash8OfText } from './block-hash.ts'
import { callOne } from './json-rpc.ts'
import { type Probe, type ProbeExchange, ProbeFailure, type ProbedHead } from './probe.ts'
import { NumberQuantity } from './quantities.ts'

/** The same for every node, and the first state in which a block has its time. */
const finalized = { commitment: 'finalized' }

const Epoch = z.object({ absoluteSlot: NumberQuantity })
const BlockTime = z.nullable(NumberQuantity)

/** Account in which every bank keeps its own slot and time. */
const clockSysvar = 'SysvarC1ock11111111111111111111111111111111'
const ClockAccount = z.object({
  value: z.object({
    data: z.object({
      parsed: z.object({ info: z.object({ slot: NumberQuantity, unixTimestamp: NumberQuantity }) }),
    }),
  }),
})

const Block = z.nullable(z.object({ blockhash: TextHash }))

/** Heights are slots. `getHealth` is not asked: it compares the node with peers of its own choice. */
export const solanaProbe: Probe = {
  async head(target, _chain, exchange) {
    const info = await callOne(target, { method: 'getEpochInfo', params: [finalized] }, exchange)
    const { absoluteSlot } = readAs(Epoch, info)
    const timestamp = await blockTimeOf(target, absoluteSlot, exchange)
    const head =
      timestamp === null
        ? await readClock(target, exchange)
        : { height: absoluteSlot, timestamp, hash8: null }
    return { ok: true, head, error: null }
  },

  async hashAt(target, height, exchange) {
    const form = {
      ...finalized,
      transactionDetails: 'none',
      rewards: false,
      maxSupportedTransactionVersion: 0,
    }
    const block = readAs(
      Block,
      await callOne(target, { method: 'getBlock', params: [height, form] }, exchange),
    )
    return block === null ? null : hash8OfText(block.blockhash)
  },

  async genesis(target, exchange) {
    return readAs(TextHash, await callOne(target, { method: 'getGenesisHash', params: [] }, exchange))
  },
}

/**
 * Null when the node has no time for a slot it has just named: a very new slot, or another node behind the same
 * address (-32004, solana-labs/solana#11963).
 */
async function blockTimeOf(target: Target, slot: number, exchange: ProbeExchange): Promise<number | null> {
  try {
    return readAs(BlockTime, await callOne(target, { method: 'getBlockTime', params: [slot] }, exchange))
  } catch (error) {
    if (error instanceof ProbeFailure && error.error === 'RPC_ERROR') return null
    throw error
  }
}

/** Slot and time from one bank. Second choice only, because some providers bill or restrict account reads. */
async function readClock(target: Target, exchange: ProbeExchange): Promise<ProbedHead> {
  const params = [clockSysvar, { ...finalized, encoding: 'jsonParsed' }]
  const account = await callOne(target, { method: 'getAccountInfo', params }, exchange)
  const { slot, unixTimestamp } = readAs(ClockAccount, account).value.data.parsed.info
  return { height: slot, timestamp: unixTimestamp, hash8: null }
}
