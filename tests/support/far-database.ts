import { type AddressInfo, connect, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

import { type TcpFaultProxy, startTcpFaultProxy } from '../../scripts/world/tcp-fault-proxy.ts'
import { type Database, openDatabase } from '../../server/platform/database.ts'
import { parseAddress } from '../../server/platform/postgres/connection-address.ts'
import { silentLog } from '../../scripts/world/database.ts'

const migrationsFolder = fileURLToPath(new URL('../../server/migrations', import.meta.url))

/** Connections of one more process to a test's database, which can be damaged. */
export interface FarDatabase {
  readonly database: Database
  readonly proxy: TcpFaultProxy
  close(): Promise<void>
}

/** A way to a test's database that can be damaged. */
export interface FarWay {
  readonly url: string
  readonly proxy: TcpFaultProxy
  close(): Promise<void>
}

/** The test server listens on a socket file only, and the fault proxy speaks TCP: a bridge stands between them. */
export async function openFarWay(databaseUrl: string): Promise<FarWay> {
  const [{ path }] = parseAddress(databaseUrl).servers
  if (path === undefined) throw new Error('the test server has no socket file')
  const bridge = createServer((client) => {
    const server = connect(path)
    client.pipe(server).pipe(client)
    for (const socket of [client, server]) {
      socket.on('error', () => socket.destroy())
      socket.on('close', () => (socket === client ? server : client).destroy())
    }
  })
  await new Promise<void>((resolve) => bridge.listen(0, '127.0.0.1', resolve))
  const { port } = bridge.address() as AddressInfo
  const proxy = await startTcpFaultProxy({ target: { host: '127.0.0.1', port } })
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${proxy.port}`
  return {
    url: url.href,
    proxy,
    async close() {
      await proxy.stop()
      bridge.close()
    },
  }
}

export async function connectFar(databaseUrl: string): Promise<FarDatabase> {
  const { url, proxy, close } = await openFarWay(databaseUrl)
  const database = await openDatabase({ url, dataDir: '', log: silentLog, migrationsFolder })
  return {
    database,
    proxy,
    async close() {
      proxy.set({})
      await database.close()
      await close()
    },
  }
}
