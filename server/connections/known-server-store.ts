import * as z from 'zod/mini'

import type { Database, TransactionSql } from '../platform/database.ts'
import type { DownstreamService } from './downstream-service.ts'
import {
  type Pins,
  type SeenList,
  changedNames,
  fingerprintOf,
  fingerprintsIn,
  isKnownList,
  pinned,
} from './tools/pins.ts'
import type { Definition } from './tools/read-tools.ts'
import { pinsIn, storedLists } from './tools/stored-pins.ts'

/** A tool server as this installation knows it. Instants are epoch ms. */
export interface KnownServer {
  readonly url: string
  readonly serviceId: string
  readonly name: string
  /** When it asked for credentials although it is listed as open; null when it never did. */
  readonly challengedAt: number | null
  /** When its tools were last seen to change. */
  readonly changedAt: number | null
  readonly pins: Pins | null
}

interface KnownServerRow {
  url: string
  service_id: string
  name: string
  challenged_at: Date | null
  changed_at: Date | null
  tools_accepted: unknown
  tools_seen: unknown
  definitions: string
}

/** More than any registry lists. */
const mostServers = 5_000
/** The definitions of one server, accepted and seen; others are compared by fingerprint alone. */
const mostDefinitionChars = 1 << 20
const Definitions = z.record(z.string(), z.unknown())

async function lockRow(sql: TransactionSql, url: string): Promise<KnownServerRow | undefined> {
  const [row] = await sql<KnownServerRow[]>`SELECT * FROM tool_servers WHERE url = ${url} FOR UPDATE`
  return row
}

export function createKnownServerStore(database: Database) {
  return {
    async list(): Promise<KnownServer[]> {
      const rows = await database.run(
        (sql) => sql<KnownServerRow[]>`
          SELECT url, service_id, name, challenged_at, changed_at, tools_accepted, tools_seen
          FROM tool_servers ORDER BY changed_at DESC NULLS LAST, url LIMIT ${mostServers}`,
      )
      return rows.map(knownServerOf)
    },
    async find(url: string): Promise<(KnownServer & { definitions: Record<string, unknown> }) | null> {
      const [row] = await database.run(
        (sql) => sql<KnownServerRow[]>`SELECT * FROM tool_servers WHERE url = ${url}`,
      )
      if (row === undefined) return null
      return { ...knownServerOf(row), definitions: definitionsIn(row.definitions) }
    },
    async lock(sql: TransactionSql, url: string): Promise<KnownServer | null> {
      const row = await lockRow(sql, url)
      return row === undefined ? null : knownServerOf(row)
    },
    async saveChallenged({ url, serviceId, name }: DownstreamService, at: number): Promise<void> {
      const challengedAt = new Date(at)
      await database.run(
        (sql) => sql`
          INSERT INTO tool_servers ${sql({ url, service_id: serviceId, name, challenged_at: challengedAt })}
          ON CONFLICT (url) DO UPDATE SET challenged_at = ${challengedAt}`,
      )
    },
    /** Stores a list as the one last seen; the first is accepted as it is. */
    savePins(
      { url, serviceId, name }: DownstreamService,
      seen: SeenList,
      tools: readonly Definition[],
      at: number,
    ) {
      return database.transaction(async (sql): Promise<Pins> => {
        await sql`INSERT INTO tool_servers ${sql({ url, service_id: serviceId, name })} ON CONFLICT DO NOTHING`
        const row = await lockRow(sql, url)
        const current = row === undefined ? null : knownServerOf(row).pins
        const pins = pinned(current, seen)
        await sql`
          UPDATE tool_servers
          SET tools_accepted = ${sql.json(storedLists(pins.accepted))},
              tools_seen = ${sql.json(storedLists(pins.seen))},
              definitions = ${definitionsFor(pins, tools, definitionsIn(row?.definitions ?? '{}'))},
              changed_at = ${hasChanged(current, seen, pins) ? new Date(at) : (row?.changed_at ?? null)}
          WHERE url = ${url}`
        return pins
      })
    },
    async saveAccepted(sql: TransactionSql, url: string, { accepted }: Pins): Promise<void> {
      await sql`UPDATE tool_servers SET tools_accepted = ${sql.json(storedLists(accepted))} WHERE url = ${url}`
    },
  }
}

/** A first list for callers of a kind is a change only where it differs from what others were listed. */
function hasChanged(before: Pins | null, seen: SeenList, after: Pins): boolean {
  if (before === null) return false
  if (before.seen.has(seen.askable)) return !isKnownList(before, seen)
  return changedNames(after).length > changedNames(before).length
}

/** Returns the definitions by fingerprint as JSON, as many as there is room for: first those that were accepted. */
function definitionsFor(
  pins: Pins,
  tools: readonly Definition[],
  before: Readonly<Record<string, unknown>>,
): string {
  const now = new Map(tools.map((tool) => [fingerprintOf(tool), tool]))
  const kept: Record<string, unknown> = {}
  let left = mostDefinitionChars
  for (const fingerprint of fingerprintsIn(pins)) {
    const definition = now.get(fingerprint) ?? before[fingerprint]
    if (definition === undefined || fingerprint in kept) continue
    left -= JSON.stringify(definition).length
    if (left >= 0) kept[fingerprint] = definition
  }
  return JSON.stringify(kept)
}

const definitionsIn = (text: string): Record<string, unknown> => Definitions.parse(JSON.parse(text))

function knownServerOf(row: KnownServerRow): KnownServer {
  return {
    url: row.url,
    serviceId: row.service_id,
    name: row.name,
    challengedAt: row.challenged_at?.getTime() ?? null,
    changedAt: row.changed_at?.getTime() ?? null,
    pins: pinsIn(row),
  }
}
