import type { VerifierState } from '../../../shared/health-verifiers.ts'
import type { ListedVerifier } from './directory.ts'

const silentAfterMs = 30_000

type Seen = Pick<ListedVerifier, 'isIsolated' | 'isEjected' | 'hasStaleView'> & {
  readonly verifier: Pick<ListedVerifier['verifier'], 'lastSeenAt'>
}

/** What a verifier said of itself last says nothing once it is silent. `now` in epoch ms. */
export function verifierState(listed: Seen, now: number): VerifierState {
  const { lastSeenAt } = listed.verifier
  if (lastSeenAt === null || now - lastSeenAt > silentAfterMs) return 'silent'
  if (listed.isIsolated) return 'isolated'
  if (listed.isEjected) return 'ejected'
  return listed.hasStaleView ? 'stale_view' : 'live'
}
