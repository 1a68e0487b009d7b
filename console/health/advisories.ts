import type { ServiceDetails } from '../../shared/health-details.ts'
import type { Tone } from '../ui/tone.ts'

type Advisory = Exclude<ServiceDetails['advisories'][number], 'MAINTENANCE'>

/** What to know besides the decision. Maintenance has a notice of its own. */
export const advisoryTexts: Readonly<Record<Advisory, { tone: Tone; title: string; text: string }>> = {
  FLAPPING: {
    tone: 'warn',
    title: 'It goes up and down',
    text: 'Its decision got worse three times or more lately, so a recovery is said later than usual.',
  },
  CHAIN_STALLED: {
    tone: 'warn',
    title: 'The chain makes no blocks',
    text: 'That is not the fault of this service: it stays as it is until blocks come again.',
  },
  HEAD_OLD: {
    tone: 'info',
    title: 'The newest block is minutes old',
    text: 'Chains of this kind make blocks only when there are transactions. After ten minutes without one it counts as behind.',
  },
  VERIFIER_SILENT: {
    tone: 'warn',
    title: 'One of two verifiers is silent',
    text: 'The decision rests on the other one alone. With three verifiers, one can fail or err without any effect.',
  },
  SYNCING: {
    tone: 'info',
    title: 'The node says that it is syncing',
    text: 'That does not decide: how far its newest block is behind does.',
  },
  CERTIFICATE_EXPIRES: {
    tone: 'warn',
    title: 'Its certificate ends soon',
    text: 'Within two weeks. From that moment on, verifiers and clients cannot reach it.',
  },
  CERTIFICATE_REFUSED: {
    tone: 'bad',
    title: 'Its certificate is refused',
    text: 'The facts below say why: it has ended, it is for another name, or nobody who is trusted signed it.',
  },
  CAPABILITY_CONTRADICTED: {
    tone: 'warn',
    title: 'It is declared otherwise than verifiers find it',
    text: 'What is declared is what counts. The facts below say what it is, and what was found.',
  },
  UNCORROBORATED: {
    tone: 'info',
    title: 'Fewer than three providers',
    text: 'Too few independent providers of this chain are watched to confirm how far it is. Lag is measured by the age of the newest block; of two that drift apart, the one behind is LATENCY, never DOWN.',
  },
}

export const isAdvisory = (name: ServiceDetails['advisories'][number]): name is Advisory =>
  name in advisoryTexts
