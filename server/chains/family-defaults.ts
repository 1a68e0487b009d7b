import type { Family, FamilyDefaults } from '../../shared/chains.ts'

/** Seconds that a block may be ahead of the clock. Geth, among others, refuses blocks that are further ahead. */
const usualFutureTolSec = 15
/** Consensus rule of Bitcoin and its descendants: a block may be two hours ahead of the network's time. */
const bitcoinFutureTolSec = 7_200
/** Substrate's timestamp inherent: MAX_TIMESTAMP_DRIFT_MILLIS is 30 s. */
const substrateFutureTolSec = 30

/** stellar-core, MAX_TIME_SLIP_SECONDS: a ledger may close a minute ahead. */
const stellarFutureTolSec = 60
/** Times of XRP ledgers are rounded to 10 s; a proposer of Algorand may be 25 s ahead of the block before. */
const looseFutureTolSec = 30

/** Values of families without blocks. They are valid, and not used. */
const chainless: FamilyDefaults = {
  blockMs: 12_000,
  futureTolSec: usualFutureTolSec,
  headAge: 'none',
  finalityDepth: 0,
}

/** Defaults by family. Depths are generous, so that a reorganisation never makes an honest node look forked. */
export const familyDefaults: Readonly<Record<Family, FamilyDefaults>> = {
  evm: { blockMs: 12_000, futureTolSec: usualFutureTolSec, headAge: 'slot', finalityDepth: 128 },
  solana: { blockMs: 400, futureTolSec: usualFutureTolSec, headAge: 'slot', finalityDepth: 300 },
  bitcoin: { blockMs: 600_000, futureTolSec: bitcoinFutureTolSec, headAge: 'pow', finalityDepth: 100 },
  // 900 epochs is the chain finality of the Filecoin specification.
  filecoin: { blockMs: 30_000, futureTolSec: usualFutureTolSec, headAge: 'slot', finalityDepth: 900 },
  cosmos: { blockMs: 6_000, futureTolSec: usualFutureTolSec, headAge: 'slot', finalityDepth: 100 },
  near: { blockMs: 1_000, futureTolSec: usualFutureTolSec, headAge: 'slot', finalityDepth: 100 },
  starknet: { blockMs: 2_000, futureTolSec: usualFutureTolSec, headAge: 'slot', finalityDepth: 1_000 },
  substrate: { blockMs: 6_000, futureTolSec: substrateFutureTolSec, headAge: 'slot', finalityDepth: 100 },
  'cosmos-rest': { blockMs: 6_000, futureTolSec: usualFutureTolSec, headAge: 'slot', finalityDepth: 100 },
  // Slots, of which some stay empty; finality comes after two epochs of 32.
  beacon: { blockMs: 12_000, futureTolSec: usualFutureTolSec, headAge: 'slot', finalityDepth: 128 },
  aptos: { blockMs: 100, futureTolSec: usualFutureTolSec, headAge: 'slot', finalityDepth: 1_000 },
  sui: { blockMs: 250, futureTolSec: usualFutureTolSec, headAge: 'slot', finalityDepth: 400 },
  tron: { blockMs: 3_000, futureTolSec: usualFutureTolSec, headAge: 'slot', finalityDepth: 100 },
  ton: { blockMs: 1_000, futureTolSec: usualFutureTolSec, headAge: 'slot', finalityDepth: 100 },
  xrpl: { blockMs: 4_000, futureTolSec: looseFutureTolSec, headAge: 'slot', finalityDepth: 100 },
  stellar: { blockMs: 5_000, futureTolSec: stellarFutureTolSec, headAge: 'slot', finalityDepth: 100 },
  algorand: { blockMs: 2_800, futureTolSec: looseFutureTolSec, headAge: 'slot', finalityDepth: 100 },
  tezos: { blockMs: 6_000, futureTolSec: usualFutureTolSec, headAge: 'slot', finalityDepth: 100 },
  // Slots of a second are won by lot, so that gaps are exponential. 2,160 blocks is the security parameter k.
  cardano: { blockMs: 20_000, futureTolSec: usualFutureTolSec, headAge: 'pow', finalityDepth: 2_160 },
  subgraph: { blockMs: 12_000, futureTolSec: usualFutureTolSec, headAge: 'slot', finalityDepth: 128 },
  http: chainless,
  mcp: chainless,
}
