import * as z from 'zod/mini'

import { Family } from '../../shared/chains.ts'
import { EndpointSpec, type MethodRules, UpstreamSpec } from '../../shared/endpoints.ts'
import { hasPaths } from '../../shared/path-pattern.ts'
import type { Database, TransactionSql } from '../platform/database.ts'
import type { SealedColumn } from '../platform/resealing.ts'
import type { Vault } from '../platform/vault.ts'

/** An endpoint of the console. */
export interface StoredEndpoint {
  readonly spec: EndpointSpec
  /** The family of its chain when it was saved. */
  readonly family: Family
  /** A random text that changes with each change. */
  readonly revision: string
}

/** Endpoints of the console in PostgreSQL. */
export interface EndpointStore {
  load(): Promise<StoredEndpoint[]>
  /** Returns a text that changes whenever an endpoint is created, changed or removed. */
  fingerprint(): Promise<string>
  /** Returns false when the name is taken. */
  insert(sql: TransactionSql, endpoint: StoredEndpoint): Promise<boolean>
  /** Returns false when the endpoint does not exist in the given revision. */
  replace(sql: TransactionSql, endpoint: StoredEndpoint, revision: string): Promise<boolean>
  /** Returns false when there is no endpoint of that name. */
  remove(sql: TransactionSql, name: string): Promise<boolean>
  /** Notifies all processes on commit. */
  notify(sql: TransactionSql): Promise<void>
}

interface EndpointRow {
  name: string
  chain: string
  family: string
  upstreams: string
  methods: unknown
  credits: unknown
  settings: unknown
  /** The rules and the prices of an endpoint of paths. */
  rest: unknown
  revision: string
}

export const endpointChangesChannel = 'endpoint_changes'

/** As older rules for addresses allowed it: what was stored once is not refused when it is read. */
const StoredUpstreams = z.array(
  z.safeExtend(UpstreamSpec, { url: z.optional(z.string()), ws: z.optional(z.string()) }),
)

const StoredRest = z.object({ methods: z.unknown(), credits: z.unknown() })

const StoredEndpointSpec = z.extend(EndpointSpec, { upstreams: StoredUpstreams })

/** Of an endpoint of paths, processes before 1.0 read rules that open nothing and prices that name nothing. */
function rulesOf(sql: TransactionSql, { methods, credits }: EndpointSpec) {
  if (!hasPaths(methods)) return { methods: sql.json(methods), credits: sql.json(credits), rest: null }
  const none: MethodRules = { allow: [], deny: [], unknown: 'refuse' }
  return { methods: sql.json(none), credits: sql.json({}), rest: sql.json({ methods, credits }) }
}

const upstreamsPlace = (name: string): string => `endpoints:${name}:upstreams`

export const sealedUpstreams: SealedColumn = {
  table: 'endpoints',
  column: 'upstreams',
  key: 'name',
  place: upstreamsPlace,
}

export function createEndpointStore(database: Database, vault: Vault): EndpointStore {
  function fromRow({ family, revision, ...row }: EndpointRow): StoredEndpoint {
    const upstreams = StoredUpstreams.parse(JSON.parse(vault.open(row.upstreams, upstreamsPlace(row.name))))
    const { name, chain, methods, credits, settings, rest } = row
    const rules = rest === null ? { methods, credits } : StoredRest.parse(rest)
    const spec = StoredEndpointSpec.parse({ name, chain, upstreams, settings, ...rules })
    return { spec, family: Family.parse(family), revision }
  }

  function toRow(sql: TransactionSql, { spec, family, revision }: StoredEndpoint) {
    return {
      name: spec.name,
      chain: spec.chain,
      family,
      upstreams: vault.seal(JSON.stringify(spec.upstreams), upstreamsPlace(spec.name)),
      ...rulesOf(sql, spec),
      settings: sql.json(spec.settings),
      revision,
    }
  }

  return {
    async load() {
      const rows = await database.run(
        (sql) => sql<EndpointRow[]>`
          SELECT name, chain, family, upstreams, methods, credits, settings, rest, revision
          FROM endpoints ORDER BY created_at`,
      )
      return rows.map(fromRow)
    },
    async fingerprint() {
      const [row] = await database.run(
        (sql) => sql<{ fingerprint: string }[]>`
          SELECT coalesce(string_agg(revision, ' ' ORDER BY name), '') AS fingerprint FROM endpoints`,
      )
      return row?.fingerprint ?? ''
    },
    async insert(sql, endpoint) {
      const rows = await sql`
        INSERT INTO endpoints ${sql(toRow(sql, endpoint))} ON CONFLICT (name) DO NOTHING RETURNING name`
      return rows.length === 1
    },
    async replace(sql, endpoint, revision) {
      const rows = await sql`
        UPDATE endpoints SET ${sql(toRow(sql, endpoint))}
        WHERE name = ${endpoint.spec.name} AND revision = ${revision} RETURNING name`
      return rows.length === 1
    },
    async remove(sql, name) {
      const rows = await sql`DELETE FROM endpoints WHERE name = ${name} RETURNING name`
      return rows.length === 1
    },
    async notify(sql) {
      await sql`SELECT pg_notify(${endpointChangesChannel}, '')`
    },
  }
}
