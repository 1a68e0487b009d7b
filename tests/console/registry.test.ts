import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import { hostileRow, payloads } from '../support/hostile-registry.ts'
import { writeConsoleRegistry } from '../../scripts/world/console-registry.ts'
import {
  closeDialog,
  looks,
  nothingWrong,
  startConsole,
  violationsOn,
  wrongsOn,
} from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest } from '../../scripts/world/console-under-test.ts'
import { healthClient } from '../support/health-client.ts'
import { needs } from '../support/needs.ts'
import { startWatchedWorld } from '../../scripts/world/watched-world.ts'
import type { WatchedWorld } from '../../scripts/world/watched-world.ts'
import { covers } from '../support/covers.ts'
import { loseUntilTriedAgain } from '../support/lost-calls.ts'
import { button, dialog } from '../support/page.ts'

const isReady = needs('chromium-headless-shell')

const results = (page: Page) => page.getByRole('list', { name: 'Services found' }).locator('> li')
const addressOf = (page: Page): Record<string, string> => Object.fromEntries(new URL(page.url()).searchParams)

/** As somebody packs a registry on their own computer. */
function archiveOf(folder: string, name: string): { path: string; remove: () => void } {
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-archive-'))
  const path = join(home, name)
  const packed = Bun.spawnSync(['tar', 'czf', path, '-C', folder, '.'])
  if (packed.exitCode !== 0) throw new Error(packed.stderr.toString())
  return { path, remove: () => rmSync(home, { recursive: true, force: true }) }
}

/** Public nodes of a network that the registry has none of. */
function writePublicNodes(folder: string): void {
  const nodes = ['one', 'two'].map(
    (name) => `${name},Public ${name},Public,"[""[Endpoint](http://127.0.0.1:9/${name})""]"`,
  )
  const home = join(folder, 'listings/specific-networks/polygon-zkevm')
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'apis.csv'), ['slug,provider,planType,actionButtons', ...nodes, ''].join('\n'))
}

const picture = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="globalThis.hacked=1"/>'
const foreignPicture = 'https://evil.example/logo.svg'

/** The answers of a batch, with a service that has the payload everywhere. */
const withPayload = (answers: { result?: { data?: { value?: { snapshot?: object } } } }[], payload: string) =>
  answers.map((answer) => {
    const value = answer.result?.data?.value
    if (value?.snapshot === undefined) return answer
    const links = ['javascript:alert(1)', payload, 'data:text/html,x', picture].map((url) => ({
      label: payload,
      url,
      column: 'x',
    }))
    const hostile = {
      ...value,
      title: payload,
      links,
      snapshot: {
        ...value.snapshot,
        Description: payload,
        list: [payload],
        logo: picture,
        icon: foreignPicture,
      },
    }
    return { result: { data: { ok: true, value: hostile } } }
  })

describe.skipIf(!isReady)('the page of the registry', () => {
  let world: WatchedWorld
  let folder: string
  let subject: ConsoleUnderTest

  beforeAll(async () => {
    world = await startWatchedWorld()
    folder = writeConsoleRegistry({
      chain: 'ethereum',
      apis: [...payloads.map(hostileRow), { slug: 'no-offer here', provider: 'Bad slug' }],
    })
    writePublicNodes(folder)
    subject = await startConsole({
      ...world.file,
      registry: {
        source: folder,
        links: [{ service: 'eth-frankfurt', service_id: 'apis:alchemy-free', chain: 'ethereum' }],
      },
    })
    await healthClient(subject.server.url).until({ 'eth-frankfurt': 'UP' })
  }, 90_000)

  afterAll(async () => {
    await subject?.stop()
    await world?.stop()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  async function visit(path = '/registry', look?: (typeof looks)[number], wallet = subject.operator) {
    const visitor = await subject.visit(wallet, look)
    await visitor.open(path, 'Registry')
    return visitor
  }

  test('leads from networks over categories to services, with live health', async () => {
    const { page, context, complaints } = await visit()
    await page.getByRole('button', { name: /^Ethereum \d+ services$/ }).click()
    await page.getByRole('button', { name: /^APIs/ }).click()
    const alchemy = results(page).filter({ hasText: 'Alchemy Free' })
    await alchemy.getByText('UP', { exact: true }).waitFor()
    await alchemy.getByText('Free, $0').waitFor()
    await page.waitForURL(/category=apis/)
    expect(addressOf(page)).toEqual({ chain: 'ethereum', category: 'apis' })
    await alchemy.getByRole('link').click()
    await page.waitForURL('**/services/eth-frankfurt')
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('says which other networks and plans a service has, and opens them', async () => {
    const { page, context, complaints } = await visit('/registry?q=etherscan+api')
    const etherscan = results(page).filter({ hasText: 'Etherscan Freemium (mainnet)' })
    await etherscan.getByText(/and \d+ other networks/).waitFor()
    await etherscan.getByRole('button', { name: 'etherscan-lite', exact: true }).click()
    await page.getByRole('dialog').getByText('Etherscan Lite', { exact: false }).first().waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('is searched and filtered, and the address keeps all of it', async () => {
    const { page, context, complaints } = await visit()
    await page.getByLabel('Search services').fill('archive')
    await page.getByLabel('Network').selectOption('ethereum')
    await button(page, 'More filters').click()
    await page
      .getByRole('group', { name: 'Plan' })
      .getByRole('button', { name: /^Freemium/ })
      .click()
    await button(page, 'Show services').click()
    await page.waitForURL(/filters=/)
    const found = await page
      .getByRole('status')
      .filter({ hasText: /service/ })
      .first()
      .innerText()
    const shared = page.url()
    await page.goto('/registry')
    await page.getByText(/^\d+ networks$/).waitFor()
    await page.goto(shared)
    await page.getByRole('status').filter({ hasText: found }).first().waitFor()
    expect(await page.getByLabel('Search services').inputValue()).toBe('archive')
    await button(page, 'Without Plan: Freemium').click()
    await page.waitForURL((url) => !url.searchParams.has('filters'))

    await page.goto('/registry?health=UP')
    await page.getByText('1 service', { exact: true }).waitFor()
    await page.goto('/registry?q=zzzzzz')
    await page.getByText('Nothing matches').waitFor()
    await page.goto('/registry?chain=nowhere')
    await page.getByText('there is no chain "nowhere"', { exact: false }).waitFor()
    await button(page, 'Clear the filter').first().click()
    await page.getByText(/^\d+ networks$/).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('long lists come in pages', async () => {
    const { page, context } = await visit('/registry?category=apis')
    await page.getByText(/^1–20 of \d+$/).waitFor()
    const name = await results(page).first().getByRole('heading').innerText()
    await button(page, 'Next').click()
    await page.getByText(/^21–40 of \d+$/).waitFor()
    await results(page).filter({ hasText: name }).first().waitFor({ state: 'hidden' })
    expect(await results(page).count()).toBe(20)
    await page.waitForURL(/page=2/)
    expect(addressOf(page)).toEqual({ category: 'apis', page: '2' })
    await context.close()
  })

  test('a service shows every column, its links, and how an agent calls it', async () => {
    const { page, context, complaints } = await visit('/registry?chain=ethereum&category=mcpservers')
    await page.getByRole('button', { name: /^Blockscout/ }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByText('"operation": "connect_mcp"', { exact: false }).waitFor()
    await drawer.getByText('https://mcp.blockscout.com/mcp').first().waitFor()
    const link = drawer.getByRole('link', { name: /^Docs/ })
    expect([await link.getAttribute('rel'), await link.getAttribute('target')]).toEqual([
      'noopener noreferrer',
      '_blank',
    ])
    await drawer.getByRole('button', { name: 'Arbitrum One' }).click()
    await page.waitForURL(/on=arbitrum/)
    await drawer.getByRole('link', { name: 'Try its tools in the playground' }).click()
    await page.getByRole('heading', { level: 1, name: 'Gateway' }).waitFor()
    await page.getByText('public, without credentials').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('operators watch what they found, and make it an upstream, without typing what is known', async () => {
    const { page, context, complaints } = await visit('/registry?chain=ethereum&category=mcpservers')
    await page.getByRole('button', { name: /^Blockscout/ }).click()
    await page.getByRole('link', { name: 'Watch this' }).click()
    const form = page.getByRole('dialog', { name: 'Register a service' })
    expect(await form.getByLabel(/^Endpoint/).inputValue()).toBe('https://mcp.blockscout.com/mcp')
    expect(await form.getByLabel(/^What it is/).inputValue()).toBe('mcp')
    expect(await form.getByLabel(/^Name/).inputValue()).toStartWith('Blockscout')
    await form.getByLabel(/^Name/).fill('Another name')
    await form.getByRole('button', { name: 'Cancel' }).click()
    await form.getByRole('button', { name: 'Close without saving' }).click()
    await form.waitFor({ state: 'hidden' })
    expect(addressOf(page)).toEqual({})

    await page.goto('/registry?chain=ethereum&category=apis')
    await page.getByRole('button', { name: /^Alchemy Free/ }).click()
    expect(await page.getByRole('link', { name: 'Watch this' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Use as upstream' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create endpoint' }).click()
    await page.getByText('“ethereum” is there: query keys can be created for it.').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('an endpoint of the public nodes of a network is two clicks away', async () => {
    const { page, context, complaints } = await visit('/registry?chain=polygon-zkevm')
    await page.getByRole('link', { name: 'Make an endpoint of them' }).click()
    const form = page.getByRole('dialog', { name: 'Create endpoint' })
    await form.getByRole('region', { name: 'Upstream 2' }).waitFor()
    await form.getByRole('button', { name: 'Create endpoint' }).click()
    await page.getByText('“polygon-zkevm” is there: query keys can be created for it.').waitFor()
    const made = (await subject.server.operator.endpoints.list.query()).find(
      ({ name }) => name === 'polygon-zkevm',
    )
    expect(made?.upstreams.map(({ host }) => host)).toEqual(['127.0.0.1:9', '127.0.0.1:9'])
    await page.goto('/registry?service=apis:one&on=polygon-zkevm')
    await page.getByRole('link', { name: 'Watch this' }).click()
    const service = page.getByRole('dialog', { name: 'Register a service' })
    expect(await service.getByLabel(/^Endpoint/).inputValue()).toBe('http://127.0.0.1:9/one')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('what hostile rows hold stays text, and no picture of theirs is loaded', async () => {
    covers('threat-52', 'threat-53')
    const { page, context, complaints } = await visit()
    const dialogs: string[] = []
    page.on('dialog', (opened) => {
      dialogs.push(opened.message())
      void opened.dismiss()
    })
    // As if the server had taken nothing out.
    let payload = ''
    await page.route(/registry\.service/, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: withPayload(await response.json(), payload) })
    })
    for (const place of payloads.keys()) {
      payload = payloads[place] ?? ''
      await page.goto(`/registry?q=hostile${place}&service=apis:hostile-${place}&on=ethereum`)
      await page.getByRole('dialog').getByText('How an agent calls it').waitFor()
      await page.getByRole('dialog').getByText('Description').first().waitFor()
      await page.getByRole('dialog').getByText(foreignPicture).first().waitFor()
      expect(await page.locator('img, picture, object, embed, iframe, video').count()).toBe(0)
    }
    const addresses = await page
      .locator('a[href]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(addresses.filter((address) => !/^(?:https?:|mailto:|\/|#)/.test(address ?? ''))).toEqual([])
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false)
    expect({ dialogs, complaints }).toEqual({ dialogs: [], complaints: [] })
    await context.close()
  }, 60_000)

  test('operators see what is left out, import a file, and refresh the source', async () => {
    const { page, context, complaints } = await visit()
    await button(page, /rows? left out/).click()
    await page
      .getByRole('dialog')
      .getByText(/apis\.csv:\d+/)
      .first()
      .waitFor()
    await closeDialog(page)

    const other = writeConsoleRegistry({
      chain: 'base',
      apis: [{ slug: 'imported-rpc', provider: 'Imported' }],
    })
    const archive = archiveOf(other, 'registry.tar.gz')
    await button(page, 'Import').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click()
    await page.getByText('Choose a file.').waitFor()
    await page.getByLabel('File').setInputFiles(join(import.meta.dir, 'registry.test.ts'))
    await page.getByText('Choose a .tar.gz file.').waitFor()
    await page.getByLabel('File').setInputFiles(archive.path)
    await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click()
    await page.getByText('The registry is active').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await page.getByText('from registry.tar.gz', { exact: false }).waitFor()
    await page.getByLabel('Search services').fill('imported')
    await results(page).filter({ hasText: 'Imported' }).first().waitFor()
    await page.goto('/registry?chain=ethereum&category=apis')
    await results(page).filter({ hasText: 'Alchemy Free' }).getByText('UP', { exact: true }).waitFor()

    await button(page, 'Refresh now').click()
    await page
      .getByText(/The source has nothing new|A new registry is active/)
      .first()
      .waitFor()
    const damaged = archiveOf(join(import.meta.dir, '../../console/public'), 'damaged.tar.gz')
    await button(page, 'Import').click()
    await page.getByLabel('File').setInputFiles(damaged.path)
    await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click()
    await page.getByText('Nothing was changed').waitFor()
    archive.remove()
    damaged.remove()
    rmSync(other, { recursive: true, force: true })
    expect(complaints.filter((text) => !text.includes('status of 4'))).toEqual([])
    await context.close()
  }, 60_000)

  test('is for everybody; importing is not', async () => {
    const { page, context } = await visit('/registry', undefined, createTestWallet())
    await page.getByText(/^\d+ networks$/).waitFor()
    expect(await button(page, 'Import').count()).toBe(0)
    expect(await page.getByText('left out').count()).toBe(0)
    await context.close()
  })

  test('a list that cannot be read says so', async () => {
    const { page, context } = await visit()
    await page.route(/\/trpc\//, (route) => route.abort())
    await page.goto('/registry?category=apis').catch(() => undefined)
    await page.unroute(/\/trpc\//)
    await loseUntilTriedAgain(page, /registry\.search/)
    await page.goto('/registry')
    await page.getByLabel('Category').selectOption('apis')
    await page.getByText('This could not be loaded').waitFor()
    expect(await violationsOn(page)).toEqual([])
    await button(page, 'Try again').click()
    await results(page).first().waitFor()
    await context.close()
  })

  test.each([...looks])(
    'in $name: networks, services, filters, a service and the import',
    async (look) => {
      const { page, context, complaints } = await visit('/registry', look)
      const judge = async (part?: string) =>
        expect(await wrongsOn(page, complaints, part)).toEqual(nothingWrong)
      await page.getByText(/^\d+ networks$/).waitFor()
      await judge()
      await page.goto('/registry?chain=ethereum&tags=%5B%22EVM%22%5D')
      await results(page).first().waitFor()
      await judge()
      await page.goto('/registry?chain=ethereum')
      await page.getByRole('region', { name: 'Categories of Ethereum' }).getByText('Explorers').waitFor()
      await judge()
      await button(page, 'More filters').click()
      await page.getByRole('group', { name: 'Provider' }).waitFor()
      await judge(dialog)
      await closeDialog(page)
      await page.goto('/registry?service=apis:alchemy-free&on=ethereum')
      await page.getByRole('dialog').getByText('Description').first().waitFor()
      await judge(dialog)
      await closeDialog(page)
      await button(page, 'Import').click()
      await page.getByLabel('File').waitFor()
      await judge(dialog)
      await closeDialog(page)
      await page.goto('/registry?q=zzzzzz')
      await page.getByText('Nothing matches').waitFor()
      await judge()
      await context.close()
    },
    60_000,
  )
})
