import type { SelectableService } from '../../../shared/alert-services.ts'
import type { Decision } from '../../../shared/health.ts'

/** A service as rules look at it. Instants are epoch ms. */
export interface AlertableService extends SelectableService {
  readonly name: string
  readonly decision: Decision
  /** The decision before; the same where none is known. */
  readonly previous: Decision
  /** One sentence for people; '' where none is known. */
  readonly reason: string
  readonly since: number
  /** When its decision changed of late, the oldest first. */
  readonly changes: readonly number[]
  /** What its votes ask for by now, if that is another decision. */
  readonly pending: Decision | null
  /** The note of work that is announced on it; null without. */
  readonly maintenance: string | null
}

export interface WatchedVerifier {
  readonly id: string
  readonly name: string
  /** Epoch ms of its last report; null: it has never reported. */
  readonly lastSeenAt: number | null
  readonly isIsolated: boolean
}

/** What the slow look brings. */
export interface SlowFacts {
  readonly verifiers: readonly WatchedVerifier[]
}

export const noFacts: SlowFacts = { verifiers: [] }
