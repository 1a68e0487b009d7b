import { csvText } from '../../shared/csv.ts'
import { actorName, subjectName } from './audit-words.ts'
import type { ListedAuditEntry } from './audit-words.ts'

const header = [
  'number',
  'at',
  'actor',
  'actor name',
  'action',
  'subject kind',
  'subject',
  'subject name',
  'before',
  'after',
  'ip',
  'request',
  'hash',
  'hash before',
]

const jsonOf = (facts: ListedAuditEntry['before']): string => (facts === null ? '' : JSON.stringify(facts))

/** Entries as a table for spreadsheets; instants in UTC (RFC 3339), facts as JSON. */
export const auditCsv = (entries: readonly ListedAuditEntry[]): string =>
  csvText([
    header,
    ...entries.map((entry) => [
      entry.seq,
      new Date(entry.at).toISOString(),
      entry.actor,
      actorName(entry),
      entry.action,
      entry.subjectKind,
      entry.subjectId,
      subjectName(entry) ?? '',
      jsonOf(entry.before),
      jsonOf(entry.after),
      entry.ip ?? '',
      entry.requestId ?? '',
      entry.hash,
      entry.previousHash,
    ]),
  ])
