import type { ReportAck } from '../../../shared/verifier-protocol.ts'
import type { SavedHealth } from '../history/store.ts'
import type { AcceptedReport } from './messages.ts'
import type { SignedReport } from './pass-on.ts'

/** What health does as the owner, and what it does as one of the others. */
export interface FleetParts {
  /** Resolves to what was published last of every service. */
  storedHealths(): Promise<SavedHealth[]>
  /** Goes on with these decisions, and records the loss of those that have expired. */
  restore(healths: readonly SavedHealth[]): void
  /** Returns a decision of the last owner, valid for as long as what is known here carries it. */
  carriedOn(health: SavedHealth): SavedHealth
  /** Records a transition that the last owner did not store. */
  recordUnstored(health: SavedHealth, stored: SavedHealth): void
  /** Publishes a decision of the owner. */
  publish(health: SavedHealth): void
  /** Forgets the built-in verifier of the last owner, and accepts no batch that was sent before this instant. */
  forgetOwner(): void
  receive(report: SignedReport): Promise<ReportAck>
  /** Adds the observations of a batch that the owner has accepted. */
  observe(report: AcceptedReport): void
  /** Another process owns the lease than before: its built-in verifier is another one. */
  ownerChanged(): void
  /** Discards history that another process writes now, and what only the owner knows of verifiers. */
  stopDeciding(): void
}
