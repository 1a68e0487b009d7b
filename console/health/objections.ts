import type * as z from 'zod/mini'

import type { Objection, VoteDetails } from '../../shared/health-details.ts'
import { counted, duration } from './quantities.ts'

const objectionWords: Readonly<Record<z.infer<typeof Objection>, string>> = {
  DNS: 'its host name is not found',
  CONNECT: 'no connection',
  TLS: 'its certificate is not accepted',
  TIMEOUT: 'no answer in time',
  HTTP_4XX: 'it refuses the request (4xx)',
  RATE_LIMITED: 'it limits our rate (429)',
  HTTP_5XX: 'it fails inside (5xx)',
  NOT_JSON: 'its answer is not JSON',
  RPC_ERROR: 'it answers with an error',
  TOO_LARGE: 'its answer is too large',
  BLOCKED_ADDRESS: 'its address may not be probed',
  PAUSED: 'not probed, for it limits our rate',
  STALE: 'it is hopelessly behind',
  WRONG_CHAIN: 'it serves another chain',
  WRONG_GENESIS: 'its first block is that of another chain',
  FUTURE_HEAD: 'it claims blocks that cannot be there yet',
  FORKED: 'it is on a fork',
  FAILED: 'the probe failed',
  INCONSISTENT: 'it answers now this way, now that, as if its backends differ',
  BLOCKS_BEHIND: 'blocks behind',
  SECONDS_BEHIND: 'behind in time',
  SLOW: 'slow',
}

/** Why a verifier voted as it did: `13 blocks behind`, `no answer in time`. */
export function objectionText({ reason, lagBlocks, lagSec, rttMs }: Measured): string {
  switch (reason) {
    case null:
      return ''
    case 'BLOCKS_BEHIND':
      return `${counted(lagBlocks, 'block')} behind`
    case 'SECONDS_BEHIND':
      return `${duration(lagSec * 1_000)} behind`
    case 'SLOW':
      return `answers in ${counted(Math.round(rttMs), 'millisecond')}`
    case 'STALE':
      return lagBlocks > 0 ? `${objectionWords.STALE} (${counted(lagBlocks, 'block')})` : objectionWords.STALE
    default:
      return objectionWords[reason]
  }
}

type Measured = Pick<VoteDetails, 'reason' | 'lagBlocks' | 'lagSec' | 'rttMs'>

/** The same words by the name of the objection, without its numbers. */
export const objectionNames: ReadonlyMap<string, string> = new Map(Object.entries(objectionWords))
