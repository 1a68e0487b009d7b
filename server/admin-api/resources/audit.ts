import { AdminAuditQuery, AuditEntryNumber, AuditEntryResource } from '../../../shared/admin-resources.ts'
import { fault } from '../../platform/fault.ts'
import { badCursor } from '../pages.ts'
import { resource } from '../resource.ts'

const refused = 'Entries of the audit log are written by what is done, and nobody changes or deletes one'

/** The cursor of the audit log is the number of an entry. */
function numberIn(cursor: string): number {
  if (!AuditEntryNumber.safeParse(cursor).success) throw badCursor()
  return Number(cursor)
}

/** Who did what, the newest first. */
export const adminAudit = resource({
  path: 'audit',
  name: 'AuditEntry',
  one: 'an audit entry',
  many: 'audit entries',
  view: AuditEntryResource,
  id: AuditEntryNumber,
  query: AdminAuditQuery,
  async list({ call }, { cursor, ...query }) {
    const { events, nextCursor } = await call.audit.list({
      ...query,
      ...(cursor !== undefined && { cursor: numberIn(cursor) }),
    })
    return { items: events, nextCursor: nextCursor === null ? null : String(nextCursor) }
  },
  async find({ call }, id) {
    const seq = Number(id)
    const [item] = (await call.audit.list({ cursor: seq + 1, limit: 1 })).events
    if (item?.seq !== seq) throw fault('not_found', 'There is no entry of this number here')
    return { item, version: item.hash }
  },
  creating: { refused },
  changing: { refused },
  removing: { refused },
})
