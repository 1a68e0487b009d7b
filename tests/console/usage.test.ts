import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'

import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import { queryKeyPlaceholder } from '../../console/query-keys/connect-snippets.ts'
import { startAnsweringNode } from '../support/answering-node.ts'
import { callInPage } from '../support/call-in-page.ts'
import {
  looks,
  nothingWrong,
  startConsole,
  usualLook,
  violationsOn,
  wrongsOn,
} from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest, Visitor } from '../../scripts/world/console-under-test.ts'
import { testDatabase } from '../../scripts/world/database.ts'
import type { TestDatabase } from '../../scripts/world/database.ts'
import { healthClient } from '../support/health-client.ts'
import { needs } from '../support/needs.ts'
import { quicklyJudged, startProbedEndpoints } from '../support/probed-endpoints.ts'
import { makeUsedKeys } from '../support/used-keys.ts'
import { quickPolicy } from '../../scripts/world/watched-world.ts'

const isReady = needs('chromium-headless-shell')
const node = startAnsweringNode()
const probed = startProbedEndpoints()
const file = {
  services: [
    // A verifier for which everything fails takes itself for cut off.
    ...['website', 'docs', 'status'].map((id) => quicklyJudged(id, id, 'Acme Nodes', probed.good)),
    {
      id: 'archive-a',
      name: 'Archive A',
      chain: 'ethereum',
      provider: 'Acme Nodes',
      endpoint: probed.dead,
      policy: { ...quickPolicy, minLive: 1 },
    },
  ],
  endpoints: [
    { name: 'testnet', chain: 'ethereum', upstreams: [{ url: node.url }] },
    { name: 'archive', chain: 'ethereum', upstreams: [{ service: 'archive-a' }, { url: node.url }] },
  ],
}

const table = (page: Page) => page.getByRole('table', { name: /^Usage by/ })
const names = async (page: Page): Promise<string[]> =>
  (await table(page).locator('tbody').getByRole('link').allTextContents()).map((name) => name.trim())
const chart = (page: Page, name: string) => page.getByRole('slider', { name })
const dayAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
/** As a person reads it: `1,234` is 1234. */
const numberIn = (text: string | null): number => Number((text ?? '').replaceAll(/[^\d.]/g, ''))

const judge = async ({ page, complaints }: Visitor) =>
  expect(await wrongsOn(page, complaints)).toEqual(nothingWrong)

describe.skipIf(!isReady)('usage', () => {
  let database: TestDatabase
  let subject: ConsoleUnderTest
  let keyIds: ReadonlyMap<string, string>

  beforeAll(async () => {
    database = await testDatabase()
    subject = await startConsole(file, { DATABASE_URL: database.url })
    const { page } = await subject.visit(subject.operator)
    await page.context().close()
    keyIds = await makeUsedKeys(subject, database)
    await healthClient(subject.server.url).until({ 'archive-a': 'DOWN' })
  }, 60_000)

  afterAll(async () => {
    await subject?.stop()
    await database?.drop()
    await Promise.all([node.stop(), probed.stop()])
  })

  describe.each([...looks])('$name', (look) => {
    test('the figures, the chart and the table', async () => {
      const visitor = await subject.visit(subject.operator, look)
      const { page, open } = visitor
      await open('/usage?range=7d', 'Usage')
      await chart(page, 'Calls by key').waitFor()
      await table(page).getByText('1 of 2 DOWN').first().waitFor()
      await judge(visitor)
      await page.getByText('By day', { exact: true }).click() // a short table: axe looks at each cell
      await page.getByRole('button', { name: 'Show as table' }).click()
      await page.getByRole('table', { name: 'Calls by key' }).waitFor()
      await judge(visitor)
      await open('/usage?by=method&range=30d&measure=credits', 'Usage')
      await chart(page, 'Credits by method').press('End')
      await judge(visitor)
      await page.context().close()
    })

    test('nothing that matches, days that cannot be, usage that cannot be read', async () => {
      const visitor = await subject.visit(subject.operator, look)
      const { page, open } = visitor
      await open('/usage?endpoint=archive&only=refused', 'Usage')
      await page.getByText('Nothing matches').waitFor()
      await judge(visitor)
      await open('/usage?from=2024-02-02&to=2024-02-01', 'Usage')
      await page.getByText('There is nothing to show for these days').waitFor()
      await judge(visitor)
      await page.route('**/trpc/**usage.**', (route) => route.abort())
      await open('/usage?range=30d', 'Usage')
      await page.getByText('This could not be loaded').waitFor()
      expect(await violationsOn(page)).toEqual([])
      await page.context().close()
    })
  })

  test('by key: the busiest first, with shares of a sum that is that of the rows', async () => {
    const { page, open } = await subject.visit(subject.operator)
    await open('/usage?range=30d', 'Usage')
    await table(page).getByText('Total').waitFor()
    expect(await names(page)).toEqual([
      'Wallet app',
      'Indexer',
      'Website',
      'Price feed',
      'Public demo',
      'Load test',
      'Nightly report',
      'Partner sandbox',
    ])
    await table(page).getByRole('row', { name: 'Load test' }).getByText('Deleted').waitFor()
    const column = table(page).locator('tbody tr td:nth-child(2) > span')
    const requests = await column.evaluateAll((cells) =>
      cells.map((cell) => cell.firstChild?.textContent ?? ''),
    )
    const total = await table(page)
      .locator('tfoot td:nth-child(2) > span')
      .evaluate((cell) => cell.firstChild?.textContent ?? '')
    expect(requests.reduce((sum, text) => sum + numberIn(text), 0)).toBe(numberIn(total))
    const shares = await column.locator('span').allTextContents()
    expect(shares.reduce((sum, text) => sum + numberIn(text), 0)).toBeWithin(99, 101)
    const sums = page.getByRole('list', { name: 'Sums' })
    await sums.getByText(total.trim(), { exact: true }).waitFor()
    await page.context().close()
  })

  test('is sorted, narrowed and divided, and all of it stands in the address', async () => {
    const { page, open } = await subject.visit(subject.operator)
    await open('/usage', 'Usage')
    await chart(page, 'Calls by key').waitFor()
    await page.getByText('7 days', { exact: true }).click()
    await page.getByText('By day', { exact: true }).click()
    await page.getByText('Errors', { exact: true }).last().waitFor()
    await table(page).getByRole('button', { name: 'Errors' }).click()
    await page.waitForURL(/sort=-errors/)
    expect((await names(page))[0]).toBe('Price feed')
    await page.getByLabel('Outcome').selectOption('refused')
    await page.waitForURL(/only=refused/)
    await page.getByLabel('Endpoint').selectOption('testnet')
    await page.waitForURL(/endpoint=testnet/)
    await table(page).getByText('Public demo').waitFor()
    expect(new Set(await names(page))).toEqual(new Set(['Public demo', 'Partner sandbox']))
    const query = Object.fromEntries(new URL(page.url()).searchParams)
    expect(query).toEqual({
      range: '7d',
      unit: 'day',
      sort: '-errors',
      only: 'refused',
      endpoint: 'testnet',
    })
    await page.reload()
    await table(page).getByText('Public demo').waitFor()
    expect(await chart(page, 'Calls by key').getAttribute('aria-valuemax')).toBe('7')
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await table(page).getByText('Wallet app').waitFor()
    await page.context().close()
  })

  test('a name leads to what it consists of, and back', async () => {
    const { page, open } = await subject.visit(subject.operator)
    await open('/usage?range=7d', 'Usage')
    await table(page).getByRole('link', { name: 'Indexer' }).click()
    await table(page).getByRole('link', { name: 'eth_getLogs' }).waitFor()
    expect((await names(page)).toSorted()).toEqual([
      'eth_blockNumber',
      'eth_getBlockByNumber',
      'eth_getLogs',
      'eth_getTransactionReceipt',
    ])
    expect(new URL(page.url()).searchParams.get('key')).toBe(keyIds.get('Indexer') ?? '')
    await table(page).getByRole('link', { name: 'eth_getLogs' }).click()
    await page.waitForURL(/method=eth_getLogs/)
    await table(page).getByRole('link', { name: 'Indexer' }).waitFor()
    await page.goBack()
    await page.goBack()
    await table(page).getByRole('link', { name: 'Wallet app' }).waitFor()
    await page.context().close()
  })

  test('the chart is read by keys, compared, has a twin as a table, and is counted otherwise', async () => {
    const visitor = await subject.visit(subject.operator)
    const { page, open } = visitor
    await open('/usage?range=7d', 'Usage')
    const requests = chart(page, 'Calls by key')
    await requests.focus()
    await page.keyboard.press('Home')
    expect(await requests.getAttribute('aria-valuetext')).toMatch(/: [\d,]+ calls, Wallet app [\d,]+, /)
    expect(await requests.getAttribute('aria-valuemax')).toMatch(/^1(4|5|6)\d$/)
    await page.getByRole('button', { name: 'Compare with the period before' }).click()
    await page.waitForURL(/compare=before/)
    await page
      .getByText(/^[\d,]+ the period before$/)
      .first()
      .waitFor()
    await page.getByText('The period before', { exact: true }).waitFor()
    await requests.press('Home')
    expect(await requests.getAttribute('aria-valuetext')).toMatch(/calls, [\d,]+ the period before, Wallet/)
    await judge(visitor)
    await page.getByRole('button', { name: 'Compare with the period before' }).click()
    await page.getByRole('group', { name: 'What is counted' }).getByText('Refused').click()
    await chart(page, 'Refused by key').waitFor()
    await page.getByRole('button', { name: 'Show as table' }).click()
    const twin = page.getByRole('table', { name: 'Refused by key' })
    await twin.waitFor()
    const titles = await twin.getByRole('columnheader').allTextContents()
    expect(titles.map((title) => title.trim())).toEqual([
      'Hour from',
      'Sum',
      'Public demo',
      'Partner sandbox',
    ])
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).last().click(),
    ])
    expect(download.suggestedFilename()).toStartWith('refused-by-key-and-hour-')
    await page.context().close()
  })

  test('is exported whole, without what a spreadsheet would calculate', async () => {
    const { page, open } = await subject.visit(subject.operator)
    const id = keyIds.get('Website') ?? ''
    await open('/usage?range=30d', 'Usage')
    const evil = { id, name: '=HYPERLINK("http://evil")', type: 'freeRPC' }
    await callInPage(page, 'queryKeys.update', evil)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).first().click(),
    ])
    await callInPage(page, 'queryKeys.update', { ...evil, name: 'Website' })
    expect(download.suggestedFilename()).toMatch(/^usage-by-key-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.csv$/)
    const [titles, ...lines] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
    expect(titles).toContain(
      'key id,name,key,endpoint,requests,credits,ok,errors,rate limited,credit limited',
    )
    expect(lines).toHaveLength(8)
    expect(lines.find((line) => line.startsWith(id))).toContain(`"'=HYPERLINK(""http://evil"")"`)
    await page.context().close()
  })

  test('of the last quarter of an hour is counted by five minutes', async () => {
    const { page, open } = await subject.visit(subject.operator)
    await open('/usage', 'Usage')
    await page.getByText('15 min', { exact: true }).click()
    await page.waitForURL(/range=15m/)
    await page.locator('[role=slider][aria-label="Calls by key"][aria-valuemax="3"]').waitFor()
    const sum = await page
      .getByRole('list', { name: 'Sums' })
      .getByText(/^\s*[\d,]+\s*$/)
      .first()
      .textContent()
    await page.getByRole('button', { name: 'Show as table' }).click()
    const cells = page.getByRole('table', { name: 'Calls by key' }).locator('tbody tr td:nth-child(2)')
    const counted = (await cells.allTextContents()).map(numberIn)
    expect(counted.reduce((whole, part) => whole + part, 0)).toBe(numberIn(sum))
    await page.context().close()
  })

  test('days are those of the reader, also chosen ones', async () => {
    const { page, open } = await subject.visit(subject.operator, { ...usualLook, timeZone: 'Asia/Tokyo' })
    await open('/usage?range=7d&unit=day', 'Usage')
    const week = page.locator('[role=slider][aria-label="Calls by key"][aria-valuemax="7"]')
    await week.press('End')
    expect(await week.getAttribute('aria-valuetext')).not.toContain('UTC')
    await week.press('Shift+ArrowLeft')
    await week.press('Enter')
    await page.waitForURL(/from=\d{4}-\d\d-\d\d&to=/)
    const chosen = new URL(page.url()).searchParams
    const dayOf = (name: string): number => Date.parse(chosen.get(name) ?? '')
    expect(dayOf('to') - dayOf('from')).toBe(86_400_000)
    await open('/usage?range=7d&unit=day', 'Usage')
    await page.getByText('Dates', { exact: true }).click()
    await page.waitForURL(/from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d/)
    const day = dayAgo(3)
    await page.getByLabel('From').fill(day)
    await page.getByLabel('to', { exact: true }).fill(day)
    await page.waitForURL(`**/usage?from=${day}&to=${day}**`)
    await page.getByText('Days of Asia/Tokyo, both included').waitFor()
    await page.locator('[role=slider][aria-label="Calls by key"][aria-valuemax="24"]').waitFor()
    await page.context().close()
  })

  test('whoever never called is led to the first call, and sees it', async () => {
    const visitor = await subject.visit(createTestWallet())
    const { page, open, complaints } = visitor
    await open('/usage', 'Usage')
    await page.getByRole('link', { name: 'Create a query key' }).waitFor()
    await judge(visitor)
    await callInPage(page, 'queryKeys.create', { name: 'My first', endpoint: 'testnet' })
    await page.reload()
    const shown = await page.getByRole('region', { name: 'command that makes a call' }).textContent()
    expect(shown).toContain(queryKeyPlaceholder)
    await judge(visitor)
    await page.getByRole('link', { name: '“My first”' }).click()
    const connect = page.getByRole('dialog', { name: 'Connect with “My first”' })
    await connect.getByRole('button', { name: 'Put the key in' }).click()
    const command = connect.getByRole('region', { name: 'command' })
    await command.filter({ hasNotText: queryKeyPlaceholder }).waitFor()
    const call = Bun.spawn(['sh', '-c', await command.innerText()], { stderr: 'ignore' })
    expect(JSON.parse(await new Response(call.stdout).text())).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: '0x1',
    })
    await open('/usage', 'Usage')
    await table(page).getByRole('link', { name: 'My first' }).waitFor({ timeout: 20_000 })
    await page.getByText(/^\s*Updated (just now|\d+ seconds? ago)\s*$/).waitFor()
    const day = dayAgo(5)
    await open(`/usage?from=${day}&to=${day}`, 'Usage')
    await page.getByRole('button', { name: 'Show the last 30 days' }).click()
    await table(page).getByRole('link', { name: 'My first' }).waitFor()
    // Nobody sees what others called.
    await open(`/usage?key=${keyIds.get('Indexer') ?? ''}`, 'Usage')
    await page.getByText('Nothing matches').waitFor()
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([])
    await page.context().close()
  }, 60_000)

  test('asks nothing while nobody looks', async () => {
    const { page, open } = await subject.visit(subject.operator)
    await page.clock.install()
    await open('/usage', 'Usage')
    await chart(page, 'Calls by key').waitFor()
    let asked = 0
    page.on('request', (request) => {
      if (request.url().includes('usage.')) asked += 1
    })
    const setVisibility = (state: string) =>
      page.evaluate((visibility) => {
        Object.defineProperty(document, 'visibilityState', { value: visibility, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
      }, state)
    await setVisibility('hidden')
    await page.clock.runFor(60_000)
    expect(asked).toBe(0)
    await setVisibility('visible')
    await page.clock.runFor(11_000)
    expect(asked).toBeGreaterThan(0)
    await page.context().close()
  })
})
