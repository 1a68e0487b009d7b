import type { Chain } from '../../../shared/chains.ts'
import { assertNever } from '../../platform/fault.ts'

/** The parameters of a chain for comparing heads. */
export interface ChainParams {
  /** Mean time between heights (ms). */
  readonly blockMs: number
  /** How far (s) a block's timestamp may be ahead of the observation. */
  readonly futureTolSec: number
  /** How old (s) a head may be before its age alone counts as lag; null where blocks are made only on demand. */
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

/** A block of a chain: height, and its timestamp in Unix seconds. */
export interface Head {
  readonly height: number
  readonly timestamp: number
}

const eligibleSlackMs = 2_000
const eligibleSlackMinBlocks = 2
const credibleSlackMs = 600_000
const credibleSlackMinBlocks = 100

/** Returns whether a block's timestamp is later than its observation, by more than the chain tolerates. */
export function isFromFuture(head: Head, at: number, params: ChainParams): boolean {
  return head.timestamp * 1000 > at + params.futureTolSec * 1000
}

/** Returns how many blocks the chain can have made between the base and a head seen at `at`. */
function blocksSinceBase(base: Head, timestamp: number, at: number, params: ChainParams): number {
  const elapsedSec = Math.max(0, Math.min(timestamp, at / 1000) - base.timestamp)
  return Math.ceil((elapsedSec * 1000) / params.blockMs)
}

/** Returns the highest height that may become the reference: what the chain can have made since the base, and a little more. */
export function eligibleHeight(base: Head, timestamp: number, at: number, params: ChainParams): number {
  const slack = Math.max(eligibleSlackMinBlocks, Math.ceil(eligibleSlackMs / params.blockMs))
  return base.height + blocksSinceBase(base, timestamp, at, params) + slack
}

/** Returns the highest credible height: a head between the eligible height and this is ignored, and a higher one is a lie. */
export function credibleHeight(base: Head, timestamp: number, at: number, params: ChainParams): number {
  const slack = Math.max(credibleSlackMinBlocks, Math.ceil(credibleSlackMs / params.blockMs))
  return base.height + 2 * blocksSinceBase(base, timestamp, at, params) + slack
}
