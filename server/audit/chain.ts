import type { AuditEvent, ChainBreak, ChainHead, JsonValue } from '../../shared/audit.ts'

/** An event before it has a hash. */
export type UnhashedEvent = Omit<AuditEvent, 'hash'>

/** Returns the SHA-256 of a text's UTF-8 bytes as lowercase hex. */
export type Sha256 = (text: string) => string

/**
 * Returns the text that the hash of an event covers: the canonical JSON (RFC 8785) of exactly these members. With it and
 * SHA-256, other tools can check an exported log.
 */
export function hashedText(event: UnhashedEvent): string {
  return canonicalJson({
    version: 1, // version of this form
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

/** Returns the event with its hash. */
export const hashed = (event: UnhashedEvent, sha256: Sha256): AuditEvent => ({
  ...event,
  hash: sha256(hashedText(event)),
})

/** Checks events, in the order of their numbers, against a head that is known to be intact. Returns the new head. */
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

/** Returns the break of a chain that is intact up to its last event but ends before the remembered one, or null. */
export function checkEnd(head: ChainHead, remembered: ChainHead | null): ChainBreak | null {
  if (remembered === null || remembered.seq <= head.seq) return null
  return { seq: head.seq + 1, reason: 'cut_off' }
}

/**
 * Serialises a JSON value in its canonical form (RFC 8785): no white space, members sorted by the UTF-16 code units of
 * their names, numbers and strings as ECMAScript writes them.
 */
export function canonicalJson(value: JsonValue): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}
