import type { AccountState } from '../../../shared/accounts.ts'
import type { ListedTeam, OwnTeam, TeamHoldings, TeamRole } from '../../../shared/teams.ts'
import type { Database, Sql, TransactionSql } from '../../platform/database.ts'

/** A membership with its team. Instants are epoch ms. */
export interface TeamMembership extends OwnTeam {
  readonly createdAt: number
}

export interface StoredMember {
  readonly accountId: string
  readonly role: TeamRole
  readonly joinedAt: number
}

interface MembershipRow {
  id: string
  name: string | null
  state: AccountState
  role: TeamRole
  created_at: Date
}

interface MemberRow {
  account_id: string
  role: TeamRole
  joined_at: Date
}

interface ListedRow extends Omit<MembershipRow, 'role'> {
  members: number
  plan: string | null
}

const toMembership = ({ id, name, state, role, created_at }: MembershipRow): TeamMembership => ({
  id,
  name: name ?? id,
  role,
  state,
  createdAt: created_at.getTime(),
})

const toMember = ({ account_id, role, joined_at }: MemberRow): StoredMember => ({
  accountId: account_id,
  role,
  joinedAt: joined_at.getTime(),
})

/** Owners first, then by when they joined. */
const memberOrder = (sql: Sql) => sql`ORDER BY role <> 'owner', joined_at, account_id`

const maxListed = 1_000

const membershipsIn = (sql: Sql, accountId: string, which: ReturnType<Sql>) => sql<MembershipRow[]>`
  SELECT a.id, a.name, a.state, a.created_at, m.role
  FROM team_members m JOIN accounts a ON a.id = m.team_id
  WHERE m.account_id = ${accountId} ${which}`

export type TeamStore = ReturnType<typeof createTeamStore>

/** Teams and their members. Functions that take `sql` are steps of a caller's transaction. */
export function createTeamStore(database: Database) {
  return {
    /** What somebody is in a team; null: no member of it, or there is no such team. */
    async find(accountId: string, teamId: string): Promise<TeamMembership | null> {
      const [row] = await database.run((sql) => membershipsIn(sql, accountId, sql`AND m.team_id = ${teamId}`))
      return row === undefined ? null : toMembership(row)
    },

    async listOf(accountId: string): Promise<TeamMembership[]> {
      const rows = await database.run((sql) =>
        membershipsIn(sql, accountId, sql`ORDER BY lower(a.name), a.id`),
      )
      return rows.map(toMembership)
    },

    async members(teamId: string): Promise<StoredMember[]> {
      const rows = await database.run(
        (sql) => sql<MemberRow[]>`
          SELECT account_id, role, joined_at FROM team_members WHERE team_id = ${teamId} ${memberOrder(sql)}`,
      )
      return rows.map(toMember)
    },

    /** Null: there is no such team. Changes of its members wait for each other until the transaction ends. */
    async lock(sql: TransactionSql, teamId: string): Promise<StoredMember[] | null> {
      const [team] = await sql`SELECT 1 FROM accounts
        WHERE id = ${teamId} AND kind = 'team' AND state <> 'deleted' FOR UPDATE`
      if (team === undefined) return null
      const rows = await sql<MemberRow[]>`
        SELECT account_id, role, joined_at FROM team_members WHERE team_id = ${teamId} ${memberOrder(sql)}`
      return rows.map(toMember)
    },

    /** How many teams somebody belongs to. It does not grow until the transaction ends. */
    async lockCountOf(sql: TransactionSql, accountId: string): Promise<number> {
      await sql`SELECT 1 FROM accounts WHERE id = ${accountId} FOR UPDATE`
      const [row] = await sql<{ count: number }[]>`
        SELECT count(*)::int AS count FROM team_members WHERE account_id = ${accountId}`
      return row?.count ?? 0
    },

    async create(
      sql: TransactionSql,
      id: string,
      team: { name: string; state: AccountState; plan: string | null; at: number },
    ): Promise<void> {
      await sql`
        INSERT INTO accounts (id, kind, role, state, name, plan, created_at)
        VALUES (${id}, 'team', 'account', ${team.state}, ${team.name}, ${team.plan}, ${new Date(team.at)})`
    },

    async rename(sql: TransactionSql, id: string, name: string): Promise<void> {
      await sql`UPDATE accounts SET name = ${name} WHERE id = ${id}`
    },

    async add(sql: TransactionSql, teamId: string, accountId: string, role: TeamRole, at: number) {
      await sql`
        INSERT INTO team_members (team_id, account_id, role, joined_at)
        VALUES (${teamId}, ${accountId}, ${role}, ${new Date(at)})`
    },

    async setRole(sql: TransactionSql, teamId: string, accountId: string, role: TeamRole): Promise<void> {
      await sql`
        UPDATE team_members SET role = ${role} WHERE team_id = ${teamId} AND account_id = ${accountId}`
    },

    async remove(sql: TransactionSql, teamId: string, accountId: string): Promise<void> {
      await sql`DELETE FROM team_members WHERE team_id = ${teamId} AND account_id = ${accountId}`
    },

    /** What belongs to a team and would belong to nobody without it. */
    async holdings(sql: TransactionSql, id: string): Promise<TeamHoldings> {
      const [row] = await sql<TeamHoldings[]>`
        SELECT (SELECT count(*)::int FROM query_keys WHERE account_id = ${id}) AS "queryKeys",
          (SELECT count(*)::int FROM api_keys WHERE account_id = ${id}) AS "apiKeys",
          (SELECT count(*)::int FROM agent_grants
            WHERE account_id = ${id} AND revoked_at IS NULL AND expires_at > now()) AS agents,
          (SELECT count(*)::int FROM connections WHERE account_id = ${id}) AS connections,
          (SELECT count(*)::int FROM virtual_servers WHERE account_id = ${id}) AS "virtualServers"`
      return row as TeamHoldings
    },

    /** All teams, the newest thousand. */
    async all(): Promise<ListedTeam[]> {
      const rows = await database.run(
        (sql) => sql<ListedRow[]>`
          SELECT a.id, a.name, a.state, a.plan, a.created_at,
            (SELECT count(*)::int FROM team_members WHERE team_id = a.id) AS members
          FROM accounts a WHERE a.kind = 'team' AND a.state <> 'deleted' ORDER BY a.created_at DESC, a.id LIMIT ${maxListed}`,
      )
      return rows.map(({ id, name, state, plan, members, created_at }) => ({
        id,
        name: name ?? id,
        state,
        plan,
        members,
        createdAt: created_at.getTime(),
      }))
    },
  }
}
