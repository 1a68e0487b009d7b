import {
  type ChainParams,
  type Head,
  type ReferenceHead,
  credibleHeight,
  isFromFuture,
} from './reference-head.ts'

/** The lag of a head. With an `error` the head is worthless and its lag is 0. */
export interface Measurement {
  readonly lagBlocks: number
  readonly lagSec: number
  readonly error: 'FUTURE_HEAD' | null
}

const futureHead: Measurement = { lagBlocks: 0, lagSec: 0, error: 'FUTURE_HEAD' }
const noLag: Measurement = { lagBlocks: 0, lagSec: 0, error: null }

/** Measures one service's head, seen at `at` (epoch ms of the server), against the reference of the same moment. */
export function measure(head: Head, at: number, reference: ReferenceHead, params: ChainParams): Measurement {
  if (isFromFuture(head, at, params)) return futureHead
  if (!reference.isCorroborated) return measureAge(head, at, params)
  if (head.height > credibleHeight(reference.base, head.timestamp, at, params)) return futureHead
  return measureDistance(head, at, reference)
}

/** Measures by height and timestamp. Seconds are chain time, between two block timestamps, so no node's clock matters. */
function measureDistance(head: Head, at: number, reference: ReferenceHead): Measurement {
  const lagBlocks = reference.height - head.height
  if (lagBlocks <= 0) return noLag // a competing block of the same height has another timestamp
  const referenceTimestamp = Math.min(reference.timestamp, Math.floor(at / 1000))
  return { lagBlocks, lagSec: Math.max(0, referenceTimestamp - head.timestamp), error: null }
}

/**
 * Without peers to compare with, only the head's age speaks, and on chains that make blocks on demand
 * nothing does.
 */
function measureAge(head: Head, at: number, params: ChainParams): Measurement {
  if (params.headAgeGraceSec === null) return noLag
  const ageSec = Math.floor(at / 1000) - head.timestamp
  const lagSec = Math.max(0, ageSec - params.headAgeGraceSec)
  return { lagBlocks: Math.floor((lagSec * 1000) / params.blockMs), lagSec, error: null }
}
