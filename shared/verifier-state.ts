import type { VerifierSummary } from './health-verifiers.ts'

/** The states of a verifier, the most urgent first. */
export const verifierStates = [
  'silent',
  'isolated',
  'ejected',
  'stale',
  'set aside',
  'new',
  'reporting',
] as const
export type VerifierCondition = (typeof verifierStates)[number]

export type Seen = Pick<
  VerifierSummary,
  'lastSeenAt' | 'silentAt' | 'isSetAside' | 'isIsolated' | 'isEjected' | 'hasStaleView'
>

/** Says whether reports are missing. `now` in epoch ms. */
export const isVerifierSilent = ({ silentAt }: Pick<VerifierSummary, 'silentAt'>, now: number): boolean =>
  silentAt !== null && now >= silentAt

/** `now` in epoch ms. What a silent verifier said last of itself counts no more. */
export function verifierState(verifier: Seen, now: number): VerifierCondition {
  if (verifier.lastSeenAt === null) return 'new'
  if (verifier.isSetAside) return 'set aside'
  if (isVerifierSilent(verifier, now)) return 'silent'
  if (verifier.isIsolated) return 'isolated'
  if (verifier.isEjected) return 'ejected'
  return verifier.hasStaleView ? 'stale' : 'reporting'
}
