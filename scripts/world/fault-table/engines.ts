import { rmSync } from 'node:fs'
import postgres from 'postgres'

import { parseAddress } from '../../../server/platform/postgres/connection-address.ts'
import { driverOptions } from '../../../server/platform/postgres/connections.ts'
import { createAuthority } from '../certificates.ts'
import { temporaryDataDir } from '../database.ts'
import { type PostgresPair, startPostgresPair } from '../debian-postgres.ts'
import { type Pooler, startPooler } from '../pooler.ts'
import { type ClusterWorld, startCluster } from '../redis-modes.ts'

/** What an installation of several processes stands on: PostgreSQL with a standby, a pooler before it, a cluster of Redis. */
export interface Engines {
  readonly postgres: PostgresPair
  readonly pooler: Pooler
  readonly cluster: ClusterWorld
  /** The addresses that processes are given. */
  readonly addresses: { readonly database: string; readonly direct: string; readonly store: string }
  /** One statement at the primary, without the pooler. */
  ask<Row>(work: (sql: postgres.Sql) => Promise<Row[]>): Promise<Row[]>
  /** Whether something can be written by way of the pooler. */
  isWritable(): Promise<boolean>
  stop(): Promise<void>
}

const name = 'postgres'
const answersWithinMs = 1_500
/** More than the pools of three processes hold while nothing is wrong, and less than they may ask for at once. */
const poolerConnections = 15

export async function startEngines(): Promise<Engines> {
  const folder = temporaryDataDir()
  const stops: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
  const stop = async (): Promise<void> => {
    for (const end of stops.toReversed()) await end()
  }
  try {
    const pair = await startPostgresPair(createAuthority().issue(['IP:127.0.0.1']))
    stops.push(pair.remove)
    await pair.confirmByStandby()
    const addressOf = (...ports: number[]): string =>
      `postgres://postgres@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/${name}?sslmode=require`
    const pooler = await startPooler(addressOf(pair.ports.primary), { connections: poolerConnections })
    stops.push(pooler.stop)
    const cluster = await startCluster(folder)
    stops.push(cluster.stop)
    const database = pooler.urlOf(name)
    const hosts = cluster.nodes.slice(0, 3).map(({ port }) => `127.0.0.1:${port}`)
    return {
      postgres: pair,
      pooler,
      cluster,
      addresses: {
        database,
        direct: addressOf(pair.ports.standby, pair.ports.primary),
        store: `redis+cluster://${hosts.join(',')}`,
      },
      ask: (work) => askAt(addressOf(pair.primaryPort()), work),
      isWritable: () => isWritable(`${database}?pooler=true`),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function askAt<Row>(address: string, work: (sql: postgres.Sql) => Promise<Row[]>): Promise<Row[]> {
  const sql = postgres({ ...driverOptions(parseAddress(address)), max: 1 })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** Where the end of the log can be asked for, it can be written to: a standby refuses the question. */
async function isWritable(address: string): Promise<boolean> {
  const asking = askAt(address, (sql) => sql`SELECT pg_current_wal_lsn()`).then(
    () => true,
    () => false,
  )
  return await Promise.race([asking, Bun.sleep(answersWithinMs).then(() => false)])
}
