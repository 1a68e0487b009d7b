import { afterAll, beforeAll } from 'bun:test'
import { rmSync } from 'node:fs'

import { temporaryDataDir } from '../../../scripts/world/database.ts'
import { needs } from '../../support/needs.ts'
import { startStore, type TestStore } from '../../../scripts/world/limit-nodes/nodes.ts'

/** False: there is no redis-server, and tests with a store are skipped. */
export const hasRedis = needs('redis-server')

/** For the top of a test file: a store for all of its tests, from `beforeAll` on. */
export function sharedStore(): TestStore {
  const folder = temporaryDataDir()
  let started: TestStore | undefined

  beforeAll(async () => {
    if (hasRedis) started = await startStore(folder)
  })
  afterAll(async () => {
    await started?.kill()
    rmSync(folder, { recursive: true, force: true })
  })

  function running(): TestStore {
    if (started === undefined)
      throw new Error('the store is there when tests run, and where there is redis-server')
    return started
  }
  return {
    get url() {
      return running().url
    },
    pause: () => running().pause(),
    resume: () => running().resume(),
    kill: () => running().kill(),
    start: () => running().start(),
    scriptRuns: () => running().scriptRuns(),
  }
}
