import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'

import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import {
  excessWidth,
  looks,
  phone,
  startConsole,
  violationsOn,
} from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest, Visitor } from '../../scripts/world/console-under-test.ts'
import { healthClient } from '../support/health-client.ts'
import { loseUntilTriedAgain } from '../support/lost-calls.ts'
import { needs } from '../support/needs.ts'
import { startWatchedWorld, trailedBlocks } from '../../scripts/world/watched-world.ts'
import type { WatchedWorld } from '../../scripts/world/watched-world.ts'

const isReady = needs('chromium-headless-shell')

describe.skipIf(!isReady)('the list of services', () => {
  let world: WatchedWorld
  let subject: ConsoleUnderTest
  let visitor: Visitor
  let page: Page

  beforeAll(async () => {
    world = await startWatchedWorld()
    subject = await startConsole(world.file)
    await healthClient(subject.server.url).until({ 'eth-singapore': 'UP', 'base-archive': 'UP' })
    visitor = await subject.visit(subject.operator)
    ;({ page } = visitor)
    await visitor.open('/services', 'Services')
  })

  afterAll(async () => {
    await subject?.stop()
    await world?.stop()
  })

  const rowOf = (name: string, at = page) => at.getByRole('row').filter({ hasText: name })
  const names = (at = page) => at.getByRole('row').getByRole('link').allTextContents()
  const count = (decision: string) =>
    page
      .getByRole('group', { name: 'Services by decision' })
      .getByRole('button', { name: decision, exact: false })

  test('shows every service with its decision, UNKNOWN first', async () => {
    await rowOf('Polygon São Paulo').getByText('UNKNOWN', { exact: true }).waitFor()
    await rowOf('Ethereum Frankfurt').getByText('UP', { exact: true }).waitFor()
    expect(await names()).toHaveLength(11)
    expect((await names())[0]).toBe('Polygon São Paulo')
    expect(await count('UP').getAttribute('aria-label')).toBe('10 UP')
  })

  test('changes live: a node that stops is DOWN and first, one that lags is LATENCY with its numbers', async () => {
    await world.node(3).stop()
    world.node(2).trail(trailedBlocks)
    await rowOf('Base archive').getByText('DOWN', { exact: true }).waitFor()
    await rowOf('Ethereum Singapore').getByText('LATENCY', { exact: true }).waitFor()
    await rowOf('Ethereum Singapore')
      .getByText(/1[234] blocks, 1[234] s/)
      .waitFor()
    await rowOf('Base archive').getByText('1 of 1 says DOWN: no connection').waitFor()
    await rowOf('Ethereum Singapore').getByText('1 of 1 says LATENCY: blocks behind').waitFor()
    expect((await names()).slice(0, 3)).toEqual(['Base archive', 'Polygon São Paulo', 'Ethereum Singapore'])
    await page.getByText(/^Live$/).waitFor()
    await page.getByText(/updated (just now|\d+ s ago)/).waitFor()
  }, 40_000)

  test('tells of each the last 24 hours, the uptime with its span, and the response time', async () => {
    const strip = rowOf('Base archive').getByRole('img', {
      name: /^Last 24 hours: DOWN \d+ s, UP .*, not watched 23 h/,
    })
    await strip.waitFor()
    expect((await strip.boundingBox())?.width).toBe(144)
    await rowOf('Ethereum Frankfurt').getByText(/^100%/).waitFor()
    await rowOf('Ethereum Frankfurt')
      .getByText(/^of \d+ (s|min)$/)
      .waitFor()
    const unwatched = rowOf('Polygon São Paulo')
    await unwatched.getByText('not watched', { exact: true }).waitFor()
    await unwatched.getByRole('img', { name: 'Last 24 hours: not watched 1 d' }).waitFor()
    await unwatched.getByText('Too few verifiers: 1 reports').waitFor()
  }, 40_000)

  test('asks once for all rows, and says so where that fails', async () => {
    const other = await subject.visit(subject.operator)
    const asked: string[] = []
    await loseUntilTriedAgain(other.page, /\/trpc\/services\.recent/)
    await other.page.route('**/trpc/services.recent*', (route) => {
      asked.push(route.request().url())
      return route.fallback()
    })
    await other.open('/services', 'Services')
    await other.page.getByText('The last 24 hours and the uptime could not be loaded').waitFor()
    expect(asked.every((url) => url.includes('base-archive') && url.includes('polygon-osaka'))).toBe(true)
    await rowOf('Base archive', other.page).getByText('DOWN').first().waitFor()
    await other.page.getByRole('button', { name: 'Try again' }).click()
    await rowOf('Base archive', other.page)
      .getByRole('img', { name: /^Last 24 hours/ })
      .waitFor()
    await other.context.close()
  })

  test('is one line a service on a phone: decision, name, since when, and why below', async () => {
    const other = await subject.visit(subject.operator, phone)
    await other.open('/services', 'Services')
    const well = rowOf('Ethereum Frankfurt', other.page)
    await well.waitFor()
    expect((await well.boundingBox())?.height).toBeWithin(44, 60)
    const down = rowOf('Base archive', other.page)
    await down.getByText('1 of 1 says DOWN: no connection').waitFor()
    expect(await other.page.getByRole('img', { name: /^Last 24 hours/ }).count()).toBe(0)
    await other.context.close()
  })

  describe.each([...looks])('$name', (look) => {
    test('has nothing that axe objects to, and fits the width', async () => {
      const other = await subject.visit(subject.operator, look)
      await other.open('/services', 'Services')
      await rowOf('Base archive', other.page).getByText('DOWN', { exact: true }).waitFor()
      await rowOf('Ethereum Singapore', other.page).getByText('LATENCY', { exact: true }).waitFor()
      expect(await violationsOn(other.page)).toEqual([])
      expect(await excessWidth(other.page)).toBe(0)
      await other.page.getByRole('textbox', { name: 'Filter services' }).fill('nothing like this')
      await other.page.getByText('Nothing matches').waitFor()
      expect(await violationsOn(other.page)).toEqual([])
      expect(other.complaints).toEqual([])
      await other.context.close()
    })
  })

  test('a count narrows the list to its decision, and a second click widens it', async () => {
    await count('LATENCY').click()
    await page.waitForURL('**/services?decision=LATENCY')
    expect(await names()).toEqual(['Ethereum Singapore'])
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    const lines = (await Bun.file(await download.path()).text()).trim().split('\r\n')
    expect([download.suggestedFilename(), lines.length]).toEqual(['services.csv', 2])
    expect(lines[1]).toContain('eth-singapore,Ethereum Singapore,ethereum,evm,')
    await count('LATENCY').click()
    await page.waitForURL('**/services')
    expect(await names()).toHaveLength(11)
  })

  test('filters stand in the address, and an address brings them back', async () => {
    await page.getByRole('textbox', { name: 'Filter services' }).fill('frank')
    await page.getByLabel('Chain').selectOption('Base')
    await page.waitForURL('**/services?q=frank&chain=base')
    await rowOf('Base archive').waitFor({ state: 'hidden' })
    expect(await names()).toEqual(['Base Frankfurt'])
    await visitor.open('/services?q=frank&provider=Northwind', 'Services')
    await rowOf('Ethereum Frankfurt').waitFor()
    expect(await names()).toEqual(['Base Frankfurt', 'Ethereum Frankfurt', 'Polygon Frankfurt'])
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.waitForURL('**/services?provider=Northwind')
    await page.getByLabel('Provider').selectOption('')
    await rowOf('Polygon Osaka').waitFor()
  })

  test('is divided by chain on demand, what is not UP first', async () => {
    const other = await subject.visit(subject.operator)
    await other.open('/services', 'Services')
    await other.page.getByLabel('Grouping').selectOption('chain')
    await other.page.waitForURL('**/services?group=chain')
    const groups = other.page.getByRole('rowheader')
    await groups.getByText('Needs attention · 3').waitFor()
    await groups.getByText(/^Polygon PoS · .* · head/).waitFor()
    const [attention, ...chains] = await groups.allTextContents()
    expect(attention?.trim()).toBe('Needs attention · 3')
    expect(chains.map((text) => text.trim().replace(/[\d,]+, \d+ s old, \d+/, '1, 2 s old, 3'))).toEqual(
      ['Arbitrum One · 2 of 2', 'Base · 2 of 3', 'Ethereum · 2 of 3', 'Polygon PoS · 2 of 3'].map(
        (text) => `${text} UP · head 1, 2 s old, 3 providers`,
      ),
    )
    expect((await names(other.page)).slice(0, 4)).toEqual([
      'Base archive',
      'Polygon São Paulo',
      'Ethereum Singapore',
      'Arbitrum Oregon',
    ])
    expect(await violationsOn(other.page)).toEqual([])
    const regular = other.page.getByRole('radio', { name: 'Regular rows' })
    await regular.check()
    await other.page.reload()
    await groups.getByText('Needs attention · 3').waitFor()
    expect(await regular.isChecked()).toBe(true)
    expect((await rowOf('Arbitrum Oregon', other.page).boundingBox())?.height).toBeGreaterThanOrEqual(40)
    await other.page.setViewportSize({ width: 390, height: 844 })
    expect(await excessWidth(other.page)).toBe(0)
    expect(await violationsOn(other.page)).toEqual([])
    expect(other.complaints).toEqual([])
    await other.context.close()
  })

  test('chosen services are muted, silenced and unmuted together; those of the file are removed there', async () => {
    const other = await subject.visit(subject.operator)
    const at = other.page
    const both = ['Base Frankfurt', 'Base Virginia']
    const choose = async () => {
      for (const name of both) await at.getByLabel(`Choose “${name}”`).check()
    }
    const muted = at.getByText('Maintenance', { exact: true })
    const inDialog = (action: string) => at.getByRole('dialog').getByRole('button', { name: action }).click()
    await other.open('/services', 'Services')
    await choose()
    const bar = at.getByRole('group', { name: 'Chosen services' })
    await bar.getByText('2 selected').waitFor()
    expect(await violationsOn(at)).toEqual([])
    await bar.getByRole('button', { name: 'Mute for maintenance' }).click()
    await at.getByRole('heading', { name: 'Mute 2 services for maintenance' }).waitFor()
    await inDialog('Start maintenance')
    await at.getByText('2 services are in maintenance.').waitFor()
    await muted.nth(1).waitFor()
    await bar.waitFor({ state: 'detached' })

    await choose()
    await bar.getByRole('button', { name: 'End maintenance' }).click()
    await muted.first().waitFor({ state: 'detached' })
    await choose()
    await bar.getByRole('button', { name: 'Silence alerts' }).click()
    await at.getByLabel('Reason').fill('moving racks')
    await inDialog('Silence')
    await at.getByText('Nobody is told of 2 services until the silence ends.').waitFor()
    await choose()
    await bar.getByRole('button', { name: 'Remove' }).click()
    await at.getByText('is managed by the file of the installation', { exact: false }).waitFor()
    await inDialog('Understood')
    await at.getByLabel('Choose all on this page').check()
    await bar.getByText('11 selected').waitFor()
    await at.getByLabel('Provider').selectOption('Northwind')
    await bar.getByText('3 selected').waitFor()
    expect(other.complaints).toEqual([])
    await other.context.close()
  }, 40_000)

  test('the order stands while somebody points at the list, and follows when they leave', async () => {
    await page.getByRole('row').nth(5).hover()
    await page.getByText('order stands while you are in the list').waitFor()
    const before = await names()
    await world.node(3).start()
    await rowOf('Base archive').getByText('UP', { exact: true }).waitFor()
    expect(await names()).toEqual(before)
    await page.getByRole('heading', { level: 1 }).hover()
    await page.waitForFunction(
      () => !document.querySelector('tbody tr')?.textContent.includes('Base archive'),
    )
    expect((await names())[0]).toBe('Polygon São Paulo')
  }, 40_000)

  test('stops while the tab is hidden, and catches up when it is seen again', async () => {
    const show = (state: 'hidden' | 'visible') =>
      page.evaluate((next) => {
        Object.defineProperty(document, 'visibilityState', { value: next, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
      }, state)
    await show('hidden')
    await page.getByText('Paused').waitFor()
    await world.node(2).heal()
    await healthClient(subject.server.url).until({ 'eth-singapore': 'UP' })
    expect(await rowOf('Ethereum Singapore').textContent()).toContain('LATENCY')
    await show('visible')
    await rowOf('Ethereum Singapore').getByText('UP', { exact: true }).waitFor()
    await page.getByText(/^Live$/).waitFor()
  }, 40_000)

  test('says that the connection is lost, and goes on when the server is back', async () => {
    const other = await subject.visit(subject.operator)
    await other.open('/services', 'Services')
    await other.page.getByText(/^Live$/).waitFor()
    await subject.server.stop()
    await other.page.getByText('Connection lost, trying again …').waitFor()
    await other.page.getByText(/as of/).waitFor()
    await subject.installation.start({ GATEHOUSE_OPERATORS: subject.operator.address })
    await other.page.getByText(/^Live$/).waitFor()
    await other.context.close()
  }, 60_000)
})

describe.skipIf(!isReady)('without any service', () => {
  let subject: ConsoleUnderTest

  beforeAll(async () => {
    subject = await startConsole()
  })
  afterAll(() => subject?.stop())

  describe.each([...looks])('$name', (look) => {
    test('operators learn how to register the first one', async () => {
      const { page, open, complaints, context } = await subject.visit(subject.operator, look)
      await open('/services', 'Services')
      await page.getByRole('button', { name: 'Register the first service' }).waitFor()
      await page.getByRole('region', { name: 'services in the file' }).waitFor()
      await page.getByText('gatehouse -- services add').waitFor()
      expect(await violationsOn(page)).toEqual([])
      expect(await excessWidth(page)).toBe(0)
      expect(complaints).toEqual([])
      await context.close()
    })
  })

  test('others learn whom to ask, and are offered nothing that they may not do', async () => {
    const { page, open, complaints } = await subject.visit(createTestWallet())
    await open('/services', 'Services')
    await page.getByText('Operators register services').waitFor()
    expect(await page.getByRole('button', { name: /register/i }).count()).toBe(0)
    expect(complaints).toEqual([])
  })
})
