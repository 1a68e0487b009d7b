import { AdminStatementsQuery, StatementResource } from '../../../shared/admin-resources.ts'
import { StatementId } from '../../../shared/statement.ts'
import { systemClock } from '../../platform/clock.ts'
import { cursorOfId, idOfCursor } from '../pages.ts'
import { resource } from '../resource.ts'

const refused = 'A statement is made of what was counted, and nobody changes or deletes one'

const currentMonth = (): string => new Date(systemClock.now()).toISOString().slice(0, 7)

/** Who used what in a month. */
export const adminStatements = resource({
  path: 'statements',
  name: 'Statement',
  one: 'a monthly statement',
  many: 'monthly statements',
  view: StatementResource,
  id: StatementId,
  query: AdminStatementsQuery,
  async list({ call }, { month = currentMonth(), cursor, limit }) {
    const asked = { month, limit: limit + 1, ...(cursor !== undefined && { after: idOfCursor(cursor) }) }
    const sums = await call.operatorUsage.statements(asked)
    const items = sums.slice(0, limit).map((sum) => ({ id: `${month}:${sum.account}`, month, ...sum }))
    const last = sums.length > limit ? items.at(-1) : undefined
    return { items, nextCursor: last === undefined ? null : cursorOfId(last.account) }
  },
  async find({ call }, id) {
    const [month = '', account = ''] = id.split(/:(.*)/)
    const statement = await call.operatorUsage.statement({ account, month })
    return { item: { id, account, ...statement }, version: statement.csv }
  },
  creating: { refused },
  changing: { refused },
  removing: { refused },
})
