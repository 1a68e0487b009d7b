import type { ReportBatch } from '../../../shared/verifier-protocol.ts'
import type { HeldLease } from '../../platform/leases/lease-store.ts'
import type { SavedHealth } from '../history/store.ts'
import type { ActiveVerifier } from '../verifiers/active-verifiers.ts'
import type { Verifier } from '../verifiers/verifier.ts'

/** A batch that the owner has accepted, so that its observations are known to whoever takes over. */
export interface AcceptedReport {
  readonly kind: 'report'
  readonly verifierId: string
  /** The built-in verifier of the owner, which no other process has of its own; null for those that are enrolled. */
  readonly builtIn: Verifier | null
  readonly bodyHash: string
  /** Epoch ms. */
  readonly receivedAt: number
  readonly batch: ReportBatch
}

export const acceptedReport = (
  { verifier, lastBodyHash }: ActiveVerifier,
  batch: ReportBatch,
  receivedAt: number,
): AcceptedReport => ({
  kind: 'report',
  verifierId: verifier.id,
  builtIn: verifier.isBuiltIn ? verifier : null,
  bodyHash: lastBodyHash ?? '',
  receivedAt,
  batch,
})

/** Decisions as the owner has made them. Each is valid until its quorum expires. */
interface OwnersDecisions {
  readonly kind: 'decisions'
  readonly healths: readonly SavedHealth[]
}

export type OwnersMessage = AcceptedReport | OwnersDecisions

/**
 * What the owner sends is a line of JSON each: who it is, then its messages. The processes of an installation may be of two
 * versions for a while: lines of an unknown kind are passed over.
 */
export const ownersText = (held: HeldLease, lines: readonly string[]): string =>
  [JSON.stringify(held), ...lines].join('\n')

/** Reads the text of `ownersText`, of which the signature of the request says that this installation wrote it. */
export function readOwnersText(text: string): { held: HeldLease; messages: OwnersMessage[] } {
  const [first = '', ...lines] = text.split('\n')
  const { holder, epoch } = JSON.parse(first) as HeldLease
  const messages = lines.map((line) => JSON.parse(line) as OwnersMessage)
  return {
    held: { holder, epoch },
    messages: messages.filter(({ kind }) => kind === 'report' || kind === 'decisions'),
  }
}

/** How long (ms) a decision of which nothing changes but the end of its quorum need not be sent again. */
const repeatedAfterMs = 5_000
/** Nor is it sent again before its quorum ends within this time (ms). */
const endsWithinMs = 10_000

/** Returns whether the other processes must be sent a decision, of which they know `sent`. */
export function isWorthSending(sent: SavedHealth | undefined, health: SavedHealth): boolean {
  if (sent === undefined || sent.published !== health.published) return true
  if (sent.state !== health.state || sent.cause !== health.cause) return true
  const numbers = ['liveVerifiers', 'avgBlocksLatency', 'avgTimeLatency'] as const
  const ageMs = health.evaluatedAt - sent.evaluatedAt
  return (
    numbers.some((name) => sent[name] !== health[name]) ||
    ageMs < 0 || // the clock was corrected
    ageMs >= repeatedAfterMs ||
    sent.quorumExpiresAt - health.evaluatedAt < endsWithinMs
  )
}

/** What a process that takes over goes on with, and the transitions that the last owner made and could not store. */
interface JoinedHealths {
  readonly healths: readonly SavedHealth[]
  readonly unstored: readonly { readonly stored: SavedHealth; readonly received: SavedHealth }[]
}

/** Joins what is stored with what the last owner sent: of each service the newer counts. */
export function joinHealths(
  stored: readonly SavedHealth[],
  received: ReadonlyMap<string, SavedHealth>,
): JoinedHealths {
  const unstored: { stored: SavedHealth; received: SavedHealth }[] = []
  const healths = stored.map((saved) => {
    const sent = received.get(saved.serviceId)
    if (sent === undefined || sent.evaluatedAt <= saved.evaluatedAt) return saved
    if (sent.published !== saved.published) unstored.push({ stored: saved, received: sent })
    return sent
  })
  const known = new Set(stored.map(({ serviceId }) => serviceId))
  for (const [serviceId, sent] of received) if (!known.has(serviceId)) healths.push(sent)
  return { healths, unstored }
}
