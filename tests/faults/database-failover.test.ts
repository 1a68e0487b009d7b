import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { createAuthority } from '../../scripts/world/certificates.ts'
import { silentLog, temporaryDataDir } from '../../scripts/world/database.ts'
import { type PostgresPair, startPostgresPair } from '../../scripts/world/debian-postgres.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { openDatabase } from '../../server/platform/database.ts'
import { needs } from '../support/needs.ts'

const migrationsFolder = fileURLToPath(new URL('../../server/migrations', import.meta.url))
const folder = temporaryDataDir()
const [authority, other] = [join(folder, 'authority.pem'), join(folder, 'other.pem')]
let pair: PostgresPair

const open = (hosts: string, query: string) =>
  openDatabase({
    url: `postgres://postgres@${hosts}/postgres?${query}`,
    dataDir: '',
    log: silentLog,
    migrationsFolder,
  })

describe.skipIf(!needs('postgresql') || !needs('openssl'))(
  'a primary and a standby with certificates',
  () => {
    beforeAll(async () => {
      const own = createAuthority()
      writeFileSync(authority, own.ca)
      writeFileSync(other, createAuthority().ca)
      pair = await startPostgresPair(own.issue(['IP:127.0.0.1']))
    }, 60_000)
    afterAll(async () => {
      await pair?.remove()
      rmSync(folder, { recursive: true, force: true })
    })

    test.each([
      ['127.0.0.1', ''],
      ['127.0.0.1', 'sslmode=require'],
      ['127.0.0.1', `sslmode=verify-full&sslrootcert=${authority}`],
      ['localhost', `sslrootcert=${authority}`],
    ])('%s with %s is connected to', async (host, query) => {
      await (await open(`${host}:${pair.ports.primary}`, query)).close()
    })

    test.each([
      ['127.0.0.1', 'sslmode=disable', 'no encryption'],
      ['127.0.0.1', `sslmode=verify-ca&sslrootcert=${other}`, 'unable to verify'],
      ['127.0.0.1', 'sslmode=verify-full', 'unable to verify'],
      ['localhost', `sslmode=verify-full&sslrootcert=${authority}`, 'does not match'],
      ['127.0.0.1', 'sslrootcert=/no/such/file', 'cannot be read'],
    ])('%s with %s is not: %s', async (host, query, why) => {
      await expect(open(`${host}:${pair.ports.primary}`, query)).rejects.toThrow(why)
    })

    test('the one that can be written to is used, and after a failover the other; nothing that was acknowledged is lost', async () => {
      const { primary, standby } = pair.ports
      const hosts = `127.0.0.1:${standby},127.0.0.1:${primary}`
      const database = await open(hosts, 'sslmode=require&target_session_attrs=read-write')
      const port = async () =>
        (await database.run((sql) => sql`SELECT inet_server_port() AS port`))[0]?.['port']
      expect(await port()).toBe(primary)
      await database.run((sql) => sql`CREATE TABLE facts (id int)`)
      await pair.confirmByStandby()
      await waitUntil('the standby confirms', async () => {
        const [row] = await database.run(
          (sql) => sql`SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`,
        )
        return row !== undefined
      })
      for (let id = 0; id < 50; id++) await database.run((sql) => sql`INSERT INTO facts VALUES (${id})`)
      await pair.failOver()
      await waitUntil('the other is used', async () => (await port().catch(() => null)) === standby)
      await database.run((sql) => sql`INSERT INTO facts VALUES (50)`)
      const [row] = await database.run((sql) => sql`SELECT count(*)::int AS n FROM facts`)
      expect(row?.['n']).toBe(51)
      await database.close()
    }, 60_000)
  },
)
