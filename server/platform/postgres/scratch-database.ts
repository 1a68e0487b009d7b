import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'

import { type Database, openDatabase } from '../database.ts'
import { randomHex } from '../ids.ts'
import type { Log } from '../log.ts'
import { findBinaries } from './binaries.ts'
import { parseAddress } from './connection-address.ts'
import { driverOptions, type Sql } from './connections.ts'
import { untilAnswering } from './until-answering.ts'

/** An empty database with all tables, for an attempt that leaves nothing behind. */
export interface ScratchDatabase {
  readonly database: Database
  /** Closes and removes it. */
  drop(): Promise<void>
}

interface ScratchOptions {
  /** The server to make it on where there is no embedded one; null when there is no other. */
  readonly url: string | null
  readonly log: Log
  readonly migrationsFolder: string
}

/** Makes it on an embedded server of its own, so that the one that serves is not burdened, or else on the given server. */
export async function openScratchDatabase(options: ScratchOptions): Promise<ScratchDatabase> {
  if (options.url !== null && !hasEmbedded()) return await onServer(options.url, options)
  return await onEmbedded(options)
}

function hasEmbedded(): boolean {
  try {
    findBinaries()
    return true
  } catch {
    return false
  }
}

async function onEmbedded({ log, migrationsFolder }: ScratchOptions): Promise<ScratchDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-scratch-'))
  chmodSync(dataDir, 0o711) // the embedded server, which cannot run as root, must be able to pass through
  const remove = (): void => rmSync(dataDir, { recursive: true, force: true })
  try {
    const database = await openDatabase({ url: null, dataDir, log, migrationsFolder })
    return { database, drop: () => database.close().finally(remove) }
  } catch (error) {
    remove()
    throw error
  }
}

async function onServer(url: string, { log, migrationsFolder }: ScratchOptions): Promise<ScratchDatabase> {
  const name = `gatehouse_scratch_${randomHex(6)}`
  await administer(url, (sql) => sql`CREATE DATABASE ${sql(name)}`)
  const dropIt = () => administer(url, (sql) => sql`DROP DATABASE ${sql(name)} WITH (FORCE)`)
  try {
    const database = await openDatabase({ url: withDatabase(url, name), dataDir: '', log, migrationsFolder })
    return { database, drop: () => database.close().finally(dropIt) }
  } catch (error) {
    await dropIt()
    throw error
  }
}

/** The same server, another database. */
const withDatabase = (url: string, name: string): string =>
  url.replace(/^([a-z]+:\/\/[^/?]*)(?:\/[^?]*)?/i, `$1/${name}`)

async function administer(url: string, work: (sql: Sql) => Promise<unknown>): Promise<void> {
  const { address, place } = await untilAnswering(parseAddress(url))
  const sql = postgres({ ...driverOptions(address, place), max: 1 })
  try {
    await work(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}
