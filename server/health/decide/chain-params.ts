import type { Chain } from '../../../shared/chains.ts'
import { assertNever } from '../../platform/fault.ts'

/** What comparing heads has to know about a chain. */
export interface ChainParams {
  /** Mean time between heights. */
  readonly blockMs: number
  /** How far a block's timestamp may lie ahead of the observation. */
  readonly futureTolSec: number
  /** How old a head may be before age alone counts as lag; null where blocks are made only on demand. */
  readonly headAgeGraceSec: number | null
  /** How many providers must have reached the reference head. */
  readonly corroborate: number
}

const slotGraceBlocks = 5
const slotGraceMinSec = 30
/** Gaps are exponential: P(no block for 14 means) = 8e-7, for Bitcoin one false alarm in about 23 years. */
const powGraceBlocks = 14

function headAgeGraceSec(chain: Chain): number | null {
  const blockSec = chain.blockMs / 1000
  switch (chain.headAge) {
    case 'slot':
      return Math.max(slotGraceMinSec, Math.ceil(slotGraceBlocks * blockSec))
    case 'pow':
      return Math.ceil(powGraceBlocks * blockSec)
    case 'none':
      return null
    default:
      return assertNever(chain.headAge)
  }
}

export function chainParams(chain: Chain): ChainParams {
  return {
    blockMs: chain.blockMs,
    futureTolSec: chain.futureTolSec,
    headAgeGraceSec: headAgeGraceSec(chain),
    corroborate: 2,
  }
}
