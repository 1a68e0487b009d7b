import type { Chain, Family } from '../../shared/chains.ts'

/** Values of a chain that sets none of its own. Times are in the unit of the name; `finalityDepth` is in heights. */
export type FamilyDefaults = Pick<Chain, 'blockMs' | 'futureTolSec' | 'headAge' | 'finalityDepth'>

/** Seconds that a block may be ahead of the clock. Geth, among others, refuses blocks that are further ahead. */
const usualFutureTolSec = 15
/** Consensus rule of Bitcoin and its descendants: a block may be two hours ahead of the network's time. */
const bitcoinFutureTolSec = 7_200
/** Substrate's timestamp inherent: MAX_TIMESTAMP_DRIFT_MILLIS is 30 s. */
const substrateFutureTolSec = 30

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
  subgraph: { blockMs: 12_000, futureTolSec: usualFutureTolSec, headAge: 'slot', finalityDepth: 128 },
  http: chainless,
  mcp: chainless,
}
