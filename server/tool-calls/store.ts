import {
  type ToolCallContent,
  type ToolCallEntry,
  type ToolCallGroup,
  type ToolCallOutcome,
  toolCallBounds,
  toolCallOutcomes,
} from '../../shared/tool-calls.ts'
import { dayMs, hourMs } from '../../shared/durations.ts'
import type { Database } from '../platform/database.ts'
import type { RecordPosition } from '../../shared/record-position.ts'
import { dayStart, dropPartitions, makePartitions } from '../platform/postgres/partitions.ts'
import type { RecordedCall } from './call-recorder.ts'

/** Selects calls; absent members restrict nothing. */
export interface CallFilter {
  /** Null: all accounts. */
  readonly accountId: string | null
  readonly server?: string | undefined
  readonly tool?: string | undefined
  readonly keyId?: string | undefined
  readonly group?: ToolCallGroup | undefined
  readonly outcome?: ToolCallOutcome | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** Single calls in PostgreSQL. */
export interface ToolCallStore {
  /** Writes calls; those that are there already stay as they are. */
  write(calls: readonly RecordedCall[]): Promise<void>
  /** Returns calls, the newest first. */
  list(filter: CallFilter, before: RecordPosition | null, limit: number): Promise<ToolCallEntry[]>
  /** Returns what is kept of a call's arguments and result; null when there is no such call. */
  content(accountId: string | null, position: RecordPosition, now: number): Promise<ToolCallContent | null>
  /** Deletes calls and contents that are older than they may be, and what accounts have too much of. */
  clean(accounts: readonly string[], now: number): Promise<void>
}

const table = 'tool_calls'
const deadlineMs = 15_000

export function createToolCallStore(database: Database): ToolCallStore {
  return {
    async write(calls) {
      await database.transaction(async (sql) => {
        await makePartitions(
          sql,
          table,
          calls.map(({ at }) => at),
        )
        const rows = calls.map(rowOf)
        await sql`
          INSERT INTO tool_calls
          SELECT * FROM jsonb_populate_recordset(NULL::tool_calls, ${JSON.stringify(rows)}::text::jsonb)
          ON CONFLICT DO NOTHING`
      }, deadlineMs)
    },
    async list(filter, before, limit) {
      const rows = await database.run(
        (sql) => sql<Row[]>`
          SELECT id, at, account_id, key_id, session, server, server_name, chain, connection_id, tool, door, outcome,
            denied_by, ms, bytes_sent::float8, bytes_received::float8, credits::float8, weight,
            content_ends_at > now() AS has_content
          FROM tool_calls
          WHERE at >= ${new Date(filter.from ?? 0)} AND at < ${new Date(filter.to ?? latest)}
            ${filter.accountId === null ? sql`` : sql`AND account_id = ${filter.accountId}`}
            ${filter.server === undefined ? sql`` : sql`AND server = ${filter.server}`}
            ${filter.tool === undefined ? sql`` : sql`AND tool = ${filter.tool}`}
            ${filter.keyId === undefined ? sql`` : sql`AND key_id = ${filter.keyId}`}
            ${filter.outcome === undefined ? sql`` : sql`AND outcome = ${filter.outcome}`}
            ${filter.group === undefined ? sql`` : sql`AND outcome = ANY (${outcomesOf(filter.group)}::text[])`}
            ${before === null ? sql`` : sql`AND (at, id) < (${new Date(before.at)}::timestamptz, ${before.id})`}
          ORDER BY at DESC, id DESC LIMIT ${limit}`,
        deadlineMs,
      )
      return rows.map(entryOf)
    },
    async content(accountId, { at, id }, now) {
      const [row] = await database.run(
        (sql) => sql<ContentRow[]>`
          SELECT arguments, result, content_ends_at FROM tool_calls
          WHERE at = ${new Date(at)} AND id = ${id}
            ${accountId === null ? sql`` : sql`AND account_id = ${accountId}`}`,
      )
      if (row === undefined) return null
      const endsAt = row.content_ends_at?.getTime() ?? null
      if (endsAt === null || endsAt <= now) return { arguments: null, result: null, endsAt: null }
      return { arguments: row.arguments, result: row.result, endsAt }
    },
    async clean(accounts, now) {
      await dropPartitions(database, table, dayStart(now) - toolCallBounds.keptDays * dayMs)
      await database.run(
        (sql) => sql`
          UPDATE tool_calls SET arguments = NULL, result = NULL, content_ends_at = NULL
          WHERE content_ends_at <= ${new Date(now)}`,
        deadlineMs,
      )
      for (const accountId of accounts) await deleteBeyondMost(database, accountId)
    },
  }
}

const latest = Date.UTC(9999, 0)

async function deleteBeyondMost(database: Database, accountId: string): Promise<void> {
  await database.run(
    (sql) => sql`
      DELETE FROM tool_calls WHERE account_id = ${accountId} AND at < (
        SELECT at FROM tool_calls WHERE account_id = ${accountId}
        ORDER BY at DESC OFFSET ${toolCallBounds.keptCalls} LIMIT 1)`,
    deadlineMs,
  )
}

const outcomesOf = (group: ToolCallGroup): string[] =>
  Object.entries(toolCallOutcomes).flatMap(([outcome, of]) => (of === group ? [outcome] : []))

interface Row {
  id: string
  at: Date
  account_id: string
  key_id: string
  session: string
  server: string
  server_name: string
  chain: string
  connection_id: string
  tool: string
  door: string
  outcome: ToolCallOutcome
  denied_by: string | null
  ms: number
  bytes_sent: number
  bytes_received: number
  credits: number
  weight: number
  has_content: boolean | null
}

interface ContentRow {
  arguments: string | null
  result: string | null
  content_ends_at: Date | null
}

const rowOf = ({ content, ...call }: RecordedCall) => ({
  id: call.id,
  at: new Date(call.at).toISOString(),
  account_id: call.accountId,
  key_id: call.keyId,
  session: call.session,
  server: call.server,
  server_name: call.serverName,
  chain: call.chain,
  connection_id: call.connectionId,
  tool: call.tool,
  door: call.door,
  outcome: call.outcome,
  denied_by: call.deniedBy,
  ms: call.ms,
  bytes_sent: call.bytesSent,
  bytes_received: call.bytesReceived,
  credits: call.credits,
  weight: call.weight,
  arguments: content?.arguments ?? null,
  result: content?.result ?? null,
  content_ends_at:
    content === null ? null : new Date(call.at + toolCallBounds.contentHours * hourMs).toISOString(),
})

const entryOf = (row: Row): ToolCallEntry => ({
  id: row.id,
  at: row.at.getTime(),
  accountId: row.account_id,
  keyId: row.key_id,
  session: row.session,
  server: row.server,
  serverName: row.server_name,
  chain: row.chain,
  connectionId: row.connection_id,
  tool: row.tool,
  door: row.door,
  outcome: row.outcome,
  deniedBy: row.denied_by,
  ms: row.ms,
  bytesSent: row.bytes_sent,
  bytesReceived: row.bytes_received,
  credits: row.credits,
  weight: row.weight,
  hasContent: row.has_content === true,
})
