import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'

import {
  excessWidth,
  looks,
  phone,
  startConsole,
  violationsOn,
} from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest, Visitor } from '../../scripts/world/console-under-test.ts'
import { testDatabase } from '../../scripts/world/database.ts'
import type { TestDatabase } from '../../scripts/world/database.ts'
import { needs } from '../support/needs.ts'
import { givePast } from '../../scripts/world/past-health.ts'
import { startWatchedWorld } from '../../scripts/world/watched-world.ts'
import type { WatchedWorld } from '../../scripts/world/watched-world.ts'

const isReady = needs('chromium-headless-shell')
const path = '/services/eth-singapore'
const title = 'Ethereum Singapore'

/** A button that is clicked becomes the other one: always the first that is left. */
async function turnAll(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name })
  for (let left = await button.count(); left > 0; left--) await button.first().click()
}

describe.skipIf(!isReady)('the history of a service', () => {
  let world: WatchedWorld
  let database: TestDatabase
  let subject: ConsoleUnderTest
  let visitor: Visitor

  beforeAll(async () => {
    world = await startWatchedWorld()
    world.node(2).trail(13)
    database = await testDatabase()
    await givePast(database.database, 'eth-singapore', Date.now())
    subject = await startConsole(world.file, { DATABASE_URL: database.url })
    visitor = await subject.visit(subject.operator)
    await visitor.open(path, title)
    await visitor.page.getByRole('heading', { level: 2, name: 'LATENCY' }).waitFor()
  })

  afterAll(async () => {
    await subject?.stop()
    await world?.stop()
    await database?.drop()
  })

  test('says why in words', async () => {
    await visitor.page
      .getByText(/1 of 1 says LATENCY: 1[234] blocks behind, seen (just now|\d+ s ago)/)
      .waitFor()
    await visitor.page.getByText('1 of 1 reporting, 1 needed').waitFor()
    await visitor.page.getByText(/^\d+ ms \/ \d+ ms$/).waitFor()
    await visitor.page.getByText('for more than 90 days').waitFor()
  })

  test('is read by keys: each part of the bar, each point of the chart', async () => {
    const { page } = visitor
    const bar = page.getByRole('slider', { name: 'Decisions in the last 24 hours' })
    await bar.focus()
    await page.keyboard.press('Home')
    expect(await bar.getAttribute('aria-valuetext')).toMatch(/, \d\d:\d\d – .*: UP 30 min$/)
    const read = new Set<string>()
    for (let step = 0; step < 48; step++) {
      read.add((await bar.getAttribute('aria-valuetext')) ?? '')
      await page.keyboard.press('ArrowRight')
    }
    expect(read.size).toBe(48)
    for (const decision of ['DOWN', 'UNKNOWN', 'LATENCY', 'UP']) {
      expect([...read].some((text) => text.includes(`${decision} `))).toBe(true)
    }
    const chart = page.getByRole('slider', { name: /^Lag of/ })
    await chart.focus()
    await page.keyboard.press('Home')
    expect(await chart.getAttribute('aria-valuetext')).toMatch(
      /Average lag \d+(\.\d)? blocks, Greatest lag \d+ blocks/,
    )
  })

  test('a stretch of the chart is looked at closer, by dragging and by keys', async () => {
    const { page } = visitor
    const chart = page.getByRole('slider', { name: /^Lag of/ })
    const countOf = async (): Promise<number> => Number(await chart.getAttribute('aria-valuemax'))
    const all = await countOf()
    const box = await chart.boundingBox()
    if (box === null) throw new Error('no chart')
    const [middle, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await page.mouse.move(middle, y)
    await page.mouse.down()
    await page.mouse.move(middle + box.width / 4, y, { steps: 3 })
    await page.mouse.up()
    const whole = page.getByRole('button', { name: 'Show the whole range' })
    await whole.waitFor()
    const some = await countOf()
    expect(some).toBeWithin(2, Math.ceil(all / 3))
    await chart.focus()
    await page.keyboard.press('Shift+Home')
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Enter')
    expect(await countOf()).toBe(some - 1)
    await whole.click()
    await whole.waitFor({ state: 'detached' })
    expect(await countOf()).toBeGreaterThanOrEqual(all)
  })

  test('shows uptime of all ranges, with how much nobody can vouch for', async () => {
    const { page } = visitor
    const uptimes = page.getByText(/^\d+(\.\d+)?%$/)
    await uptimes.nth(2).waitFor()
    for (const text of await uptimes.allTextContents()) expect(Number.parseFloat(text)).toBeWithin(90, 100)
    expect(await page.getByText(/UNKNOWN (1|0)\.\d+%/).count()).toBe(3)
  })

  test('has the same numbers as a table and as a file', async () => {
    const { page } = visitor
    await page.getByText('90 days', { exact: true }).first().click()
    await page.waitForURL(`**${path}?range=90d`)
    await page.getByRole('slider', { name: 'Decisions in the last 90 days' }).waitFor()
    await turnAll(page, 'Show as table')
    const decisions = page.getByRole('table', { name: 'Decisions' })
    await decisions.getByText('1 of 1 says DOWN: it fails inside (5xx)').waitFor()
    await page.getByRole('table', { name: 'Lag and response time' }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).first().click(),
    ])
    expect(download.suggestedFilename()).toBe('eth-singapore-decisions-90d.csv')
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
    expect(lines[0]).toEndWith('from,to,decision,seconds,reason')
    expect(lines.filter((line) => line.includes(',DOWN,'))).toHaveLength(4)
    await page.getByText('24 hours', { exact: true }).first().click()
    await turnAll(page, 'Show as chart')
  })

  test('lists its incidents, the open one first', async () => {
    const incidents = visitor.page.getByRole('table', { name: 'Incidents' })
    const rows = await incidents.getByRole('row').allTextContents()
    expect(rows[1]).toContain('still open')
    expect(rows).toHaveLength(1 + 3)
    const changed = incidents.getByRole('row').filter({ hasText: '12 min' })
    const reasons = await changed.getByRole('listitem').allTextContents()
    expect(reasons.map((text) => text.replace(/^\d\d:\d\d/, ''))).toEqual([
      '1 of 1 says DOWN: no connection',
      '1 of 1 says DOWN: it fails inside (5xx)',
    ])
  })

  test('the badge and how to ask elsewhere', async () => {
    const { page } = visitor
    const badge = page.getByRole('img', { name: `Badge: ${title} is LATENCY` })
    expect(await badge.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(50)
    await page.getByRole('radio', { name: 'curl' }).check()
    await page.getByText(`curl ${subject.server.url}/health/eth-singapore`).waitFor()
    expect(visitor.complaints).toEqual([])
  })

  test.each([360, 320])('at %i px no part of a vote lies over another', async (width) => {
    const { page, open, context } = await subject.visit(subject.operator, { ...phone, width })
    await open(path, title)
    const vote = page.getByRole('table', { name: 'Votes of the verifiers' }).getByRole('row').last()
    const [says, seen] = await Promise.all([
      vote.getByText('LATENCY').locator('xpath=..').boundingBox(),
      vote.locator('time').boundingBox(),
    ])
    if (says === null || seen === null) throw new Error('a part of the vote is not shown')
    expect(says.x + says.width).toBeLessThan(seen.x)
    expect(seen.x + seen.width).toBeLessThan(width)
    await context.close()
  })

  test.each([...looks])('$name: axe finds nothing, in charts and in tables', async (look) => {
    const { page, open, complaints, context } = await subject.visit(subject.operator, look)
    await open(path, title)
    await page.getByRole('heading', { level: 2, name: 'LATENCY' }).waitFor()
    await page.getByRole('slider', { name: /^Lag of/ }).waitFor()
    expect(await violationsOn(page)).toEqual([])
    expect(await excessWidth(page)).toBe(0)
    await page.getByText('90 days', { exact: true }).first().click()
    await page.waitForURL(`**${path}?range=90d`)
    await turnAll(page, 'Show as table')
    await page.getByRole('table', { name: 'Lag and response time' }).waitFor()
    expect(await violationsOn(page)).toEqual([])
    expect(await excessWidth(page)).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  })
})
