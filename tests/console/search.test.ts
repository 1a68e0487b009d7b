import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import type { Page } from 'playwright-core'

import { writeConsoleRegistry } from '../../scripts/world/console-registry.ts'
import { excessWidth, looks, startConsole, violationsOn } from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest } from '../../scripts/world/console-under-test.ts'
import { makeQueryKeys } from '../../scripts/world/made-query-keys.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import { startWatchedWorld } from '../../scripts/world/watched-world.ts'
import type { WatchedWorld } from '../../scripts/world/watched-world.ts'
import { healthClient } from '../support/health-client.ts'
import { needs } from '../support/needs.ts'

const isReady = needs('chromium-headless-shell')

const palette = (page: Page) => page.getByRole('dialog', { name: 'Go to or do' })
const finds = (page: Page) => palette(page).getByRole('option')

async function type(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await palette(page).waitFor()
  await page.keyboard.type(text)
}

describe.skipIf(!isReady)('search', () => {
  let world: WatchedWorld
  let folder: string
  let subject: ConsoleUnderTest
  let keyId: string
  let keyValue: string

  beforeAll(async () => {
    world = await startWatchedWorld()
    folder = writeConsoleRegistry({ chain: 'ethereum' })
    subject = await startConsole({
      ...world.file,
      registry: { source: folder },
      endpoints: [{ name: 'ethereum', chain: 'ethereum', upstreams: [{ service: 'eth-frankfurt' }] }],
    })
    await healthClient(subject.server.url).until({ 'eth-frankfurt': 'UP' })
    const owner = await signInAt(subject.server.url, subject.operator)
    const [made] = await makeQueryKeys(owner, subject.server.url, [
      { name: 'Frankfurt indexer', endpoint: 'ethereum' },
    ])
    keyId = made?.id ?? ''
    keyValue = made?.key ?? ''
  }, 90_000)

  afterAll(async () => {
    await subject?.stop()
    await world?.stop()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  test('finds a service and a key of one word, and Enter opens what is chosen', async () => {
    const { page, open, complaints } = await subject.visit(subject.operator)
    await open('/', 'Overview')
    await type(page, 'frankfurt')
    await finds(page).filter({ hasText: 'Query key' }).waitFor()
    const texts = await finds(page).allTextContents()
    expect(texts.some((text) => text.includes('UP') && text.endsWith('Service'))).toBe(true)
    expect(await violationsOn(page, '[role=dialog]')).toEqual([])

    await finds(page).filter({ hasText: 'eth-frankfurt' }).click()
    await page.waitForURL('**/services/eth-frankfurt')
    await type(page, 'frankfurt ind')
    await finds(page).filter({ hasText: 'Query key' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/query-keys?search=Frankfurt+indexer')
    expect(complaints).toEqual([])
  })

  test('an id leads to its audit entries, a pasted key to the key, and the key itself is not sent', async () => {
    const { page, open } = await subject.visit(subject.operator)
    const addresses: string[] = []
    page.on('request', (request) => addresses.push(`${request.url()} ${request.postData() ?? ''}`))
    await open('/', 'Overview')
    await type(page, keyValue)
    await finds(page).filter({ hasText: 'Frankfurt indexer' }).waitFor()
    expect(addresses.filter((address) => address.includes(keyValue))).toEqual([])
    await page.keyboard.press('Escape')
    await type(page, keyId)
    await finds(page).filter({ hasText: 'Audit log' }).click()
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
    expect(new URL(page.url()).searchParams.get('subject')).toBe(`query_key:${keyId}`)
  })

  test('finds entries of the registry', async () => {
    const { page, open } = await subject.visit(subject.operator)
    await open('/', 'Overview')
    await type(page, 'alchemy')
    await finds(page).filter({ hasText: 'Registry' }).filter({ hasText: 'Alchemy' }).first().click()
    await page.waitForURL('**/registry?service=*')
    await page.getByRole('dialog').getByText('Alchemy').first().waitFor()
  })

  test('others find services, but no key, endpoint or audit entry of somebody else', async () => {
    const { page, open } = await subject.visit(createTestWallet())
    await open('/', 'Overview')
    await type(page, 'ethereum')
    await finds(page).filter({ hasText: 'Service' }).first().waitFor()
    expect(
      await finds(page)
        .filter({ hasText: /(?:Endpoint|Query key)$/ })
        .count(),
    ).toBe(0)
    await page.keyboard.press('Escape')
    await type(page, keyId)
    await palette(page).getByText('Nothing has this name.').waitFor()
  })

  test('says so when the server cannot be asked', async () => {
    const { page, open } = await subject.visit(subject.operator)
    await open('/', 'Overview')
    await page.route('**/trpc/globalSearch.find**', (route) => route.abort())
    await type(page, 'frankfurt')
    await palette(page).getByText('The search failed: try again shortly.').waitFor()
  })

  test.each([...looks])('$name: finds are clear and fit', async (look) => {
    const { page, open } = await subject.visit(subject.operator, look)
    await open('/', 'Overview')
    await type(page, 'ethereum')
    await finds(page).filter({ hasText: 'Service' }).first().waitFor()
    expect([await violationsOn(page, '[role=dialog]'), await excessWidth(page)]).toEqual([[], 0])
  })
})
