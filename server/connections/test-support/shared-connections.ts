import { afterAll, beforeAll } from 'bun:test'

import { type TestDatabase, testDatabase } from '../../../scripts/world/database.ts'
import type { Database } from '../../platform/database.ts'
import {
  type TestConnectionsOptions,
  type ConnectionsUnderTest,
  connectionsUnderTest,
} from './connections-under-test.ts'
import { type ToolServer, type ToolServerOptions, startToolServer } from './tool-server.ts'

interface Stoppable {
  stop(): unknown
}

/** The domain as all tests of one file use it, on a database of their own. */
export interface SharedConnections extends Omit<ConnectionsUnderTest, 'stop'> {
  readonly database: Database
  readonly databaseUrl: string
  /** As after a restart, or with other settings: on the same database. */
  another(options?: TestConnectionsOptions): ConnectionsUnderTest
  startServer(options?: ToolServerOptions): Promise<ToolServer>
  /** Is stopped when the tests of the file are over; `startServer` sees to it by itself. */
  opened<Opened extends Stoppable>(one: Opened): Opened
}

/** For the top of a test file: it is there from `beforeAll` on, and stopped with all that was opened. */
export function sharedConnections(options: TestConnectionsOptions = {}): SharedConnections {
  let own: TestDatabase
  let subject: ConnectionsUnderTest
  const all: Stoppable[] = []

  function opened<Opened extends Stoppable>(one: Opened): Opened {
    all.push(one)
    return one
  }
  const another = (more: TestConnectionsOptions = {}): ConnectionsUnderTest =>
    connectionsUnderTest({ ...options, ...more, database: own.database })

  beforeAll(async () => {
    own = await testDatabase()
    subject = opened(another())
  })
  afterAll(async () => {
    for (const one of all) await one.stop()
    await own.drop()
  })

  return {
    get connections() {
      return subject.connections
    },
    get registry() {
      return subject.registry
    },
    get events() {
      return subject.events
    },
    get logged() {
      return subject.logged
    },
    get database() {
      return own.database
    },
    get databaseUrl() {
      return own.url
    },
    another,
    startServer: async (wanted) => opened(await startToolServer(wanted)),
    opened,
  }
}
