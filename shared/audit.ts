import * as z from 'zod/mini'

import { EpochMs } from './instants.ts'
import { Month } from './months.ts'
import { idText, matching, text } from './text.ts'

/** Everything that is recorded. The set is closed here; a log may also hold actions of a newer version. */
export const auditActions = [
  'service.add',
  'service.update',
  'service.remove',
  'service.maintenance',
  'verifier.token',
  'verifier.token_cancel',
  'verifier.enroll',
  'verifier.revoke',
  'account.sign_in',
  'account.sign_out',
  'account.session_revoke',
  'account.link',
  'account.unlink',
  'account.contact',
  'account.approve',
  'account.join',
  'account.create',
  'account.disable',
  'account.enable',
  'account.delete',
  'account.role',
  'account.plan',
  'plan.create',
  'plan.update',
  'plan.delete',
  'account.invite',
  'account.invitation_cancel',
  'team.create',
  'team.rename',
  'team.delete',
  'team.invite',
  'team.invitation_cancel',
  'team.join',
  'team.role',
  'team.leave',
  'team.remove',
  'operator.claim',
  'audit.archive',
  'api_key.create',
  'api_key.update',
  'api_key.enable',
  'api_key.disable',
  'api_key.delete',
  'api_key.reveal',
  'api_key.rotate',
  'query_key.create',
  'query_key.update',
  'query_key.enable',
  'query_key.disable',
  'query_key.delete',
  'query_key.reveal',
  'query_key.rotate',
  'endpoint.create',
  'endpoint.update',
  'endpoint.remove',
  'chain.create',
  'chain.update',
  'chain.delete',
  'registry.import',
  'connection.create',
  'connection.update',
  'connection.accept_tools',
  'connection.secret_quoted',
  'connection.consent',
  'connection.consent_lost',
  'connection.delete',
  'tool_policy.save',
  'tool_policy.remove',
  'tool_server.accept_tools',
  'oauth_issuer.set',
  'oauth_issuer.remove',
  'virtual_server.create',
  'virtual_server.update',
  'virtual_server.delete',
  'status_page.create',
  'status_page.update',
  'status_page.delete',
  'status_page.export_subscribers',
  'status_page.remove_subscriber',
  'status_incident.start',
  'status_incident.update',
  'status_incident.delete',
  'agent.connect',
  'agent.disconnect',
  'channel.create',
  'channel.update',
  'channel.delete',
  'channel.test',
  'alert_rule.create',
  'alert_rule.update',
  'alert_rule.delete',
  'alert.acknowledge',
  'silence.create',
  'silence.end',
  'maintenance.create',
  'maintenance.update',
  'maintenance.delete',
  'delivery.resend',
  'statement.send',
  'address.allow',
  'address.revoke',
] as const

export type AuditAction = (typeof auditActions)[number]

/** What an action can be done to. */
export const auditSubjects = [
  'service',
  'verifier',
  'account',
  'invitation',
  'team',
  'api_key',
  'query_key',
  'endpoint',
  'connection',
  'tool_policy',
  'tool_server',
  'oauth_issuer',
  'virtual_server',
  'status_page',
  'agent',
  'channel',
  'alert_rule',
  'alert',
  'silence',
  'maintenance',
  'delivery',
  'plan',
  'chain',
  'address',
  'installation',
] as const

export type AuditSubject = (typeof auditSubjects)[number]

/** Who did something: an account or an API key by its id, or one of those below. The label is what it was called then. */
export interface AuditActor {
  readonly id: string
  readonly label: string
}

/** Whoever may run the command line on the server's host. */
export const cliActor: AuditActor = { id: 'cli', label: 'Command line' }

/** What this program does by itself. */
export const programActor: AuditActor = { id: 'gatehouse', label: 'Gatehouse' }

/** A verifier that enrols itself: nobody is signed in, and what lets it in is a token that an operator made. */
export const enrolmentActor: AuditActor = { id: 'enrolment_token', label: 'Enrolment token' }

export type JsonValue = null | boolean | number | string | JsonValue[] | { [name: string]: JsonValue }

/** Fields of a subject before or after a change, without secrets. */
export type AuditFacts = { [name: string]: JsonValue }

/** One entry of the log. `seq` counts from 1 without gaps; `hash` covers every other field. */
export interface AuditEvent {
  readonly seq: number
  /** Epoch ms. */
  readonly at: number
  readonly actor: string
  readonly actorLabel: string
  /** One of `auditActions`, unless a newer version wrote it. */
  readonly action: string
  readonly subjectKind: string
  readonly subjectId: string
  readonly before: AuditFacts | null
  readonly after: AuditFacts | null
  readonly ip: string | null
  readonly requestId: string | null
  /** Lowercase hex; zeros for the first event. */
  readonly previousHash: string
  readonly hash: string
}

/** Which events to list, the newest first. `from` is included, `to` is not. */
export const AuditQuery = z.strictObject({
  actor: z.optional(idText(200)),
  action: z.optional(z.enum(auditActions)),
  subjectKind: z.optional(z.enum(auditSubjects)),
  subjectId: z.optional(idText(200)),
  from: z.optional(EpochMs),
  to: z.optional(EpochMs),
  /** `nextCursor` of the page before. */
  cursor: z.optional(z.int().check(z.minimum(1))),
  limit: z._default(z.int().check(z.minimum(1), z.maximum(100)), 50),
})

export type AuditQuery = z.infer<typeof AuditQuery>

export interface AuditPage {
  readonly events: AuditEvent[]
  /** Null on the last page. */
  readonly nextCursor: number | null
}

/** The end of the chain: who keeps it elsewhere can tell later that nothing up to it was cut off or rewritten. */
export const ChainHead = z.strictObject({
  seq: z.int().check(z.minimum(0)),
  hash: matching(/^[0-9a-f]{64}$/, 'a SHA-256 in lowercase hexadecimal'),
})

export type ChainHead = z.infer<typeof ChainHead>

/** The head of a chain without events, to which the first event is linked. */
export const emptyChain: ChainHead = { seq: 0, hash: '0'.repeat(64) }

/** Where a check goes on, and what the chain is compared with. */
export const ChainCheck = z.strictObject({
  after: z._default(ChainHead, emptyChain),
  remembered: z._default(z.nullable(ChainHead), null),
})

export type ChainCheck = z.infer<typeof ChainCheck>

/**
 * The first place at which a chain is broken: an event is not there, has other contents than were recorded, is not
 * linked to the one before it, is another one than was remembered, or the remembered one was cut off.
 */
export interface ChainBreak {
  readonly seq: number
  readonly reason: 'missing' | 'altered' | 'not_linked' | 'not_as_remembered' | 'cut_off'
}

/** What one step of a check found. Unless it is complete, the next one begins after `head`. */
export interface ChainPart {
  /** Events of this part that are right. */
  readonly checked: number
  /** The last event that is right. */
  readonly head: ChainHead
  readonly firstBad: ChainBreak | null
  readonly isComplete: boolean
}

/** A month of the log that is in a file, with the head of the chain at its end. */
export interface ArchivedMonth extends ChainHead {
  /** `2026-01`, in UTC. */
  readonly month: string
}

const Folder = text({ max: 4_000 })

/** Asks for the oldest month before that one to be moved into a file of the folder, on the server's host. */
export const ArchiveRequest = z.strictObject({ before: Month, folder: Folder })

/** Asks for the file of a month to be checked. */
export const ArchiveCheck = z.strictObject({
  month: Month,
  folder: Folder,
  remembered: z._default(z.nullable(ChainHead), null),
})
