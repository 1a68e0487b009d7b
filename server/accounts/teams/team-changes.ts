import type { AuditAction, AuditActor } from '../../../shared/audit.ts'
import type { TeamRole } from '../../../shared/teams.ts'
import type { Audit, AuditEntry } from '../../audit/audit.ts'
import type { Database, TransactionSql } from '../../platform/database.ts'
import { type Fault, fault } from '../../platform/fault.ts'
import type { RequestTrace } from '../audit-entries.ts'
import type { StoredMember, TeamStore } from './store.ts'

/** The person who does it, whose account is the id of the actor. */
export interface TeamDoer extends RequestTrace {
  readonly actor: AuditActor
}

interface TeamChangesParts {
  readonly database: Database
  readonly store: TeamStore
  readonly record: Audit['record']
}

/** A team that is locked, as one of its members meets it. */
interface LockedTeam {
  readonly sql: TransactionSql
  readonly members: readonly StoredMember[]
  /** What the one is who does it. */
  readonly role: TeamRole
}

export interface TeamChange<Result> {
  readonly result: Result
  readonly facts?: Pick<AuditEntry, 'before' | 'after'>
}

export type ChangeTeam = <Result>(
  by: TeamDoer,
  teamId: string,
  action: AuditAction,
  work: (team: LockedTeam) => Promise<TeamChange<Result>>,
) => Promise<Result>

export const unknownTeam = (): Fault =>
  fault('not_found', 'There is no such team, or you are not a member of it')

/** Returns the function by which members change a team: with the team locked, and in one transaction with the entry in the audit log. */
export const createChangeTeam =
  ({ database, store, record }: TeamChangesParts): ChangeTeam =>
  ({ actor, ip, requestId }, teamId, action, work) =>
    database.transaction(async (sql) => {
      const members = await store.lock(sql, teamId)
      const own = members?.find(({ accountId }) => accountId === actor.id)
      if (members === null || own === undefined) throw unknownTeam()
      const { result, facts } = await work({ sql, members, role: own.role })
      await record(sql, { actor, action, subject: { kind: 'team', id: teamId }, ...facts, ip, requestId })
      return result
    })
