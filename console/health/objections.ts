import type { VoteDetails } from '../../shared/health-details.ts'
import { objectionWords } from '../../shared/health-reasons.ts'
import { counted, duration } from './quantities.ts'

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
