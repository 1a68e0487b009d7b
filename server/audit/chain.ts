import type { AuditEvent, ChainBreak, ChainHead } from '../../shared/audit.ts'
import { canonicalJson } from './canonical-json.ts'

/** An event before it has a hash. */
export type UnhashedEvent = Omit<AuditEvent, 'hash'>

/** Of the UTF-8 bytes of a text, as lowercase hex. */
export type Sha256 = (text: string) => string

/**
 * What the hash of an event covers: the canonical JSON (RFC 8785) of exactly these members.
 * Whoever checks an exported log with other tools needs no more than this and SHA-256.
 */
export function hashedText(event: UnhashedEvent): string {
  return canonicalJson({
    version: 1, // of this form
    seq: event.seq,
    at: event.at,
    actor: event.actor,
    actorLabel: event.actorLabel,
    action: event.action,
    subjectKind: event.subjectKind,
    subjectId: event.subjectId,
    before: event.before,
    after: event.after,
    ip: event.ip,
    requestId: event.requestId,
    previousHash: event.previousHash,
  })
}

/** Adds an event's hash. */
export const hashed = (event: UnhashedEvent, sha256: Sha256): AuditEvent => ({
  ...event,
  hash: sha256(hashedText(event)),
})

/** Follows the chain from a head that is known to be right, through events in the order of their numbers. */
export function checkEvents(
  start: ChainHead,
  events: readonly AuditEvent[],
  remembered: ChainHead | null,
  sha256: Sha256,
): { head: ChainHead; firstBad: ChainBreak | null } {
  let head = start
  for (const event of events) {
    const firstBad = breakAt(head, event, remembered, sha256)
    if (firstBad !== null) return { head, firstBad }
    head = { seq: event.seq, hash: event.hash }
  }
  return { head, firstBad: null }
}

function breakAt(
  head: ChainHead,
  event: AuditEvent,
  remembered: ChainHead | null,
  sha256: Sha256,
): ChainBreak | null {
  if (event.seq !== head.seq + 1) return { seq: head.seq + 1, reason: 'missing' }
  if (event.hash !== sha256(hashedText(event))) return { seq: event.seq, reason: 'altered' }
  if (event.previousHash !== head.hash) return { seq: event.seq, reason: 'not_linked' }
  if (remembered?.seq === event.seq && remembered.hash !== event.hash) {
    return { seq: event.seq, reason: 'not_as_remembered' }
  }
  return null
}

/** Whether a chain that is right up to its last event still has the remembered one. */
export function checkEnd(head: ChainHead, remembered: ChainHead | null): ChainBreak | null {
  if (remembered === null || remembered.seq <= head.seq) return null
  return { seq: head.seq + 1, reason: 'cut_off' }
}
