import type { VerifierCondition } from '../../shared/verifier-state.ts'
import type { Tone } from '../ui/tone.ts'

interface StateWords {
  readonly tone: Tone
  readonly title: string
  /** What it means, and what to do about it; null where there is nothing to say. */
  readonly advice: string | null
}

export const verifierStateWords: Readonly<Record<VerifierCondition, StateWords>> = {
  reporting: { tone: 'ok', title: 'Reporting', advice: null },
  new: {
    tone: 'info',
    title: 'Not reported yet',
    advice: 'It reports as soon as there is a service to watch.',
  },
  silent: {
    tone: 'bad',
    title: 'Silent',
    advice: 'See whether it still runs and reaches this server.',
  },
  'set aside': {
    tone: 'warn',
    title: 'Set aside',
    advice:
      'Silent for three days: it counts for no decision until it reports again. Revoke it if nobody runs it any more.',
  },
  isolated: {
    tone: 'bad',
    title: 'Isolated',
    advice:
      'By what it sees, its own network is cut off, so its votes do not count. Its log says what shows that: see to the network where it stands.',
  },
  ejected: {
    tone: 'warn',
    title: 'Ejected',
    advice:
      'It contradicts the majority, so its votes do not count until it agrees again. Look for a proxy or a firewall where it stands.',
  },
  stale: {
    tone: 'warn',
    title: 'Stale view',
    advice:
      'It is served old blocks of some chain, perhaps by a caching proxy. It is measured by what the others see.',
  },
}

/** States in which a vote is missing, or not to be trusted as it is. */
export const isTroubled = (state: VerifierCondition): boolean => state !== 'reporting' && state !== 'new'
