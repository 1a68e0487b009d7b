import type { AuditAction, AuditQuery, AuditSubject } from '../../shared/audit.ts'
import { auditActions, auditSubjects } from '../../shared/audit.ts'
import { dayAfter, startOfDay } from '../../shared/zone-days.ts'
import { queryText, withoutBlanks } from '../address-query.ts'
import type { AddressQuery } from '../address-query.ts'
import { readerZone } from '../ui/reader-zone.ts'

/** What is asked of the log, as it stands in the page's address; empty texts ask nothing. */
export interface AuditFilter {
  readonly actor: string
  readonly action: AuditAction | ''
  /** Everything that was done to one thing. */
  readonly subject: { readonly kind: AuditSubject; readonly id: string } | null
  /** Days such as `2026-01-31`, both included, where the reader is. */
  readonly from: string
  readonly to: string
}

export const noAuditFilter: AuditFilter = { actor: '', action: '', subject: null, from: '', to: '' }

/** Whatever is not understood asks nothing. */
export function filterOf(query: AddressQuery): AuditFilter {
  return {
    actor: queryText(query, 'who').slice(0, 200),
    action: auditActions.find((action) => action === query.what) ?? '',
    subject: subjectOf(queryText(query, 'subject')),
    from: dayOf(queryText(query, 'from')),
    to: dayOf(queryText(query, 'to')),
  }
}

/** The other way round; what asks nothing is left out. */
export const auditAddressOf = ({ actor, action, subject, from, to }: AuditFilter): Record<string, string> =>
  withoutBlanks({
    who: actor,
    what: action,
    subject: subject === null ? '' : `${subject.kind}:${subject.id}`,
    from,
    to,
  })

export const isAuditLogFiltered = (filter: AuditFilter): boolean =>
  Object.keys(auditAddressOf(filter)).length > 0

/** The first page of what a filter asks for. */
export function auditQueryOf({ actor, action, subject, from, to }: AuditFilter, limit: number): AuditQuery {
  return {
    limit,
    ...(actor !== '' && { actor }),
    ...(action !== '' && { action }),
    ...(subject !== null && { subjectKind: subject.kind, subjectId: subject.id }),
    ...(from !== '' && { from: startOfDay(readerZone(), from) }),
    ...(to !== '' && { to: startOfDay(readerZone(), dayAfter(to)) }),
  }
}

function subjectOf(text: string): AuditFilter['subject'] {
  const kind = auditSubjects.find((known) => text.startsWith(`${known}:`))
  if (kind === undefined) return null
  const id = text.slice(kind.length + 1, kind.length + 201)
  return id === '' ? null : { kind, id }
}

const dayOf = (text: string): string =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && Date.parse(`${text}T00:00:00Z`) >= 0 ? text : ''
