import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { looks, nothingWrong, startConsole, wrongsOn } from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest } from '../../scripts/world/console-under-test.ts'
import { temporaryDataDir } from '../../scripts/world/database.ts'
import { startStore, type TestStore } from '../../scripts/world/limit-nodes/nodes.ts'
import { openSession } from '../faults/gateway/raw-calls.ts'
import { makeGatewayKey } from '../support/gateway-keys.ts'
import { needs } from '../support/needs.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'

/** The list of sessions while the other processes cannot be asked. */

const isReady = needs('chromium-headless-shell') && needs('redis-server')

describe.skipIf(!isReady)('without the shared store', () => {
  const folder = temporaryDataDir()
  let store: TestStore
  let subject: ConsoleUnderTest

  beforeAll(async () => {
    store = await startStore(folder)
    subject = await startConsole('', { REDIS_URL: store.url })
    const owner = await signInAt(subject.server.url, subject.operator)
    const key = await makeGatewayKey(subject.server.url, ['gateway_use'], owner)
    await openSession(subject.server.url, key.value)
  }, 90_000)

  afterAll(async () => {
    await subject?.stop()
    await store?.kill()
    rmSync(folder, { recursive: true, force: true })
  })

  test.each([...looks])(
    'in $name: the sessions of the process are listed, and that others may be missing is said',
    async (look) => {
      const { page, context, open, complaints } = await subject.visit(subject.operator, look)
      await open('/gateway?tab=sessions', 'Gateway')
      await page.getByText('1 session of all accounts', { exact: false }).waitFor()
      expect(await page.getByText('This list is not complete').count()).toBe(0)
      await store.kill()
      try {
        await page.reload()
        await page.getByText('The shared store is away', { exact: false }).waitFor()
        await page.getByRole('row').filter({ hasText: 'Streamable HTTP' }).first().waitFor()
        expect(await wrongsOn(page, complaints)).toEqual(nothingWrong)
      } finally {
        await store.start()
      }
      await context.close()
      const isConnected = async () => (await subject.server.metric('gateway_store_connected')) === 1
      await waitUntil('the store is there again', isConnected, 20_000)
    },
    60_000,
  )
})
