import type { Family } from '../../shared/chains.ts'
import type { ListedVerifier } from './verifier-queries.ts'
import { majorityOf } from '../../shared/quorum.ts'
import { verifierState } from '../../shared/verifier-state.ts'

type Voter = Pick<
  ListedVerifier,
  'id' | 'families' | 'lastSeenAt' | 'silentAt' | 'isSetAside' | 'isIsolated' | 'isEjected' | 'hasStaleView'
>

export interface Quorum {
  /** Those that have reported within three days: each of them is expected to. */
  readonly expected: number
  /** Those whose votes count now. */
  readonly voting: number
  /** More than half of the expected ones; one of two. */
  readonly needed: number
}

const isVoting = (verifier: Voter, now: number): boolean =>
  ['reporting', 'stale'].includes(verifierState(verifier, now))

/** What a decision takes by default; a service may ask for more. `now` in epoch ms. */
export function verifierQuorum(verifiers: readonly Voter[], now: number): Quorum {
  const expected = verifiers.filter(({ lastSeenAt, isSetAside }) => lastSeenAt !== null && !isSetAside)
  return {
    expected: expected.length,
    voting: expected.filter((verifier) => isVoting(verifier, now)).length,
    needed: majorityOf(expected.length),
  }
}

/** The quorum as one sentence. */
export function quorumText({ expected, voting, needed }: Quorum): string {
  if (expected === 0) return 'No verifier has reported yet, so every service is UNKNOWN.'
  const said = `${voting} of ${verifierCount(expected)} ${voting === 1 ? 'reports' : 'report'}`
  if (voting < needed)
    return `${said}, but a decision takes ${needed}: services are UNKNOWN until more come back.`
  return `${said}; a decision takes ${needed}.`
}

/** From this many on, one that fails or lies is outvoted. */
export const advisedVerifiers = 3

/** Why to run three verifiers. It is said where fewer report. */
export const verifierAdvice =
  'One alone believes what it sees; of two, either one may decide alone; of three, one can fail or lie without effect.'

/** What becomes of decisions when a verifier is revoked, in sentences. `now` in epoch ms. */
export function revocationEffect(verifiers: readonly Voter[], id: string, now: number): string {
  const rest = verifiers.filter((verifier) => verifier.id !== id)
  const before = verifierQuorum(verifiers, now)
  const after = verifierQuorum(rest, now)
  if (after.expected === before.expected) return 'It has not reported yet, so no decision changes.'
  if (after.expected === 0) return 'No other verifier reports: every service becomes UNKNOWN.'
  const orphans = familiesOnlyOf(verifiers, id)
  return [
    `${verifierCount(after.expected)} ${after.expected === 1 ? 'remains' : 'remain'}, of which ${after.needed} must report for a decision.`,
    ...(after.voting < after.needed
      ? [`Only ${after.voting} of them can vote now: services become UNKNOWN until more come back.`]
      : []),
    ...(orphans.length > 0
      ? [`No other verifier probes ${orphans.join(', ')}: such services become UNKNOWN.`]
      : []),
  ].join(' ')
}

function familiesOnlyOf(verifiers: readonly Voter[], id: string): readonly Family[] {
  const covered = new Set(
    verifiers
      .filter((verifier) => verifier.id !== id && verifier.lastSeenAt !== null)
      .flatMap(({ families }) => families),
  )
  const own = verifiers.find((verifier) => verifier.id === id)?.families ?? []
  return own.filter((family) => !covered.has(family))
}

const verifierCount = (count: number): string => (count === 1 ? '1 verifier' : `${count} verifiers`)
