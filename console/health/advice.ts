import type { ServiceDetails } from '../../shared/health-details.ts'
import type { ServiceAdvice } from '../../shared/health-services.ts'
import { counted } from './quantities.ts'

/** What is worth a word about a service in a list: `Certificate ends in 12 days`, `1 of 10 answers behind`. */
export function adviceText(advice: ServiceAdvice): string {
  switch (advice.kind) {
    case 'certificateRefused':
      return 'Certificate is refused'
    case 'certificateEnds':
      return advice.days === 0
        ? 'Certificate ends within a day'
        : `Certificate ends in ${counted(advice.days, 'day')}`
    case 'answersDiffer': {
      const { count, failed, behind } = advice
      const what = failed === 0 ? 'behind' : behind === 0 ? 'failed' : 'failed or behind'
      return `${failed + behind} of ${counted(count, 'answer')} ${what}`
    }
  }
}

/** How the newest tries of all verifiers went: `30 of 30 good`, `27 of 30 good, 2 failed, 1 behind`. */
export function triesText({ count, failed, behind }: ServiceDetails['tries']): string {
  const wrong = [...(failed > 0 ? [`${failed} failed`] : []), ...(behind > 0 ? [`${behind} behind`] : [])]
  return [`${count - failed - behind} of ${count} good`, ...wrong].join(', ')
}

/** How far apart the only two providers of a chain are: `13 blocks behind the other one`. */
export const gapText = ({ blocks, isBehind }: NonNullable<ServiceDetails['gap']>): string =>
  `${counted(blocks, 'block')} ${isBehind ? 'behind the other one' : 'ahead of the other one'}`
