import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'

import { looks, nothingWrong, startConsole, wrongsOn } from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest } from '../../scripts/world/console-under-test.ts'
import { makeQueryKeys } from '../../scripts/world/made-query-keys.ts'
import { answerTo, startRawUpstream } from '../../scripts/world/raw-upstream.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import { needs } from '../support/needs.ts'
import { choose } from '../support/page.ts'

const isReady = needs('chromium-headless-shell')

const hasFocus = (at: Locator) => at.evaluate((element) => element === document.activeElement)
const table = (page: Page) => page.getByRole('table', { name: 'Requests' })
const rowOf = (page: Page, text: string) => table(page).getByRole('row').filter({ hasText: text })

describe.skipIf(!isReady)('requests', () => {
  const wallet = createTestWallet()
  const bad = startRawUpstream((request) => request.write('nonsense'))
  const good = startRawUpstream((request) => request.write(answerTo(request, '"result":"0x5"')))
  let subject: ConsoleUnderTest
  let call: (name: string, method: string) => Promise<number>

  beforeAll(async () => {
    subject = await startConsole({
      verifiers: { builtIn: false },
      chains: { testnet: { family: 'evm', chainId: 31_337, blockMs: 1_000 } },
      services: [{ id: 'node-a', name: 'Node A', chain: 'testnet', provider: 'acme', endpoint: bad.url }],
      endpoints: [
        { name: 'mixed', chain: 'testnet', upstreams: [{ service: 'node-a' }, { url: good.url }] },
        { name: 'broken', chain: 'testnet', upstreams: [{ service: 'node-a' }] },
      ],
      creditPrices: { eth_call: 26 },
    })
    const { url } = subject.server
    const owner = await signInAt(url, wallet)
    const names = ['Indexer, production', 'Trading bot with a long name that is cut', 'Broken']
    const keys = await makeQueryKeys(
      owner,
      url,
      names.map((name) => ({ name, endpoint: name === 'Broken' ? 'broken' : 'mixed' })),
    )
    call = async (name, method) => {
      const at = names.indexOf(name)
      const endpoint = name === 'Broken' ? 'broken' : 'mixed'
      const response = await fetch(`${url}/rpc/${endpoint}/${keys[at]?.key}`, {
        method: 'POST',
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }),
      })
      return response.status
    }
    for (const name of names.slice(0, 2)) for (let index = 0; index < 6; index++) await call(name, 'eth_call')
    expect(await call('Broken', 'eth_getLogs')).toBe(502)
  }, 60_000)
  afterAll(async () => {
    await subject?.stop()
    bad.stop()
    good.stop()
  })

  describe.each([...looks])('$name', (look) => {
    test('in every state of the page', async () => {
      const { page, open, complaints } = await subject.visit(wallet, look)
      const judge = async () => expect(await wrongsOn(page, complaints)).toEqual(nothingWrong)

      await open('/requests', 'Requests')
      await rowOf(page, 'eth_getLogs').waitFor()
      await page.getByText('Live', { exact: true }).waitFor()
      await judge()

      await table(page).getByRole('button', { name: 'eth_getLogs' }).click()
      await page.getByRole('heading', { name: '1 attempt' }).waitFor()
      await page.getByText('Its answer is no JSON-RPC').waitFor()
      await page.getByText('UNKNOWN').waitFor()
      await judge()

      await open('/requests?find=eth_none', 'Requests')
      await page.getByText('Nothing matches').waitFor()
      await judge()
      await page.context().close()
    })
  })

  test.each([...looks])('a process that does not answer is named: $name', async (look) => {
    const { page, open, complaints } = await subject.visit(wallet, look)
    const silent = '"processes":3,"silent":["b41f0c2277a91de3"]'
    await page.route('**/trpc/requests.list*', async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replace(/"processes":1,"silent":\[\]/, silent)
      await route.fulfill({ response, body })
    })
    await open('/requests', 'Requests')
    await page.getByText('Requests of one of 3 processes are missing').waitFor()
    await rowOf(page, 'eth_getLogs').waitFor()
    expect(await wrongsOn(page, complaints)).toEqual(nothingWrong)
    await page.context().close()
  })

  test('nothing yet, and a page that could not be read', async () => {
    const { page, open } = await subject.visit(createTestWallet())
    await open('/requests', 'Requests')
    await page.getByText('No requests in this time').waitFor()
    await page.route('**/trpc/requests.list*', (route) => route.abort())
    await page.reload()
    await page.getByText('This could not be loaded').waitFor()
    await page.context().close()
  })

  test('new requests come by themselves, and are held back while one is read', async () => {
    const { page, open } = await subject.visit(wallet)
    await open('/requests?find=eth_gasPrice', 'Requests')
    await page.getByText('Live', { exact: true }).waitFor()
    await call('Indexer, production', 'eth_gasPrice')
    await rowOf(page, 'eth_gasPrice').waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await call('Indexer, production', 'eth_gasPrice')
    await page.getByRole('button', { name: 'Show 1 new' }).click()
    expect(await rowOf(page, 'eth_gasPrice').count()).toBe(2)
    await page.context().close()
  })

  test('a list that is held stays as it is while another tab is looked at', async () => {
    const { page, open } = await subject.visit(wallet)
    const look = (state: 'hidden' | 'visible') =>
      page.evaluate((to) => {
        Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => to })
        document.dispatchEvent(new Event('visibilitychange'))
      }, state)
    await open('/requests?find=eth_syncing', 'Requests')
    await page.getByText('Live', { exact: true }).waitFor()
    await call('Indexer, production', 'eth_syncing')
    await rowOf(page, 'eth_syncing').waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await look('hidden')
    await call('Indexer, production', 'eth_syncing')
    await look('visible')
    await page.getByRole('button', { name: 'Show 1 new' }).waitFor()
    expect(await rowOf(page, 'eth_syncing').count()).toBe(1)
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByText('Live', { exact: true }).waitFor()
    expect(await rowOf(page, 'eth_syncing').count()).toBe(2)
    await page.context().close()
  })

  test('parameters are shown of a key whose owner has them kept', async () => {
    const { page, open, complaints } = await subject.visit(wallet)
    await open('/query-keys', 'Query keys')
    await choose(page, 'Indexer, production', 'Edit')
    await page.getByText('The request log keeps no parameters.').waitFor()
    await page.getByRole('button', { name: 'Keep parameters for an hour' }).click()
    await page.getByText('The request log keeps the parameters of calls').waitFor()
    expect(await wrongsOn(page, complaints)).toEqual(nothingWrong)
    await call('Indexer, production', 'eth_chainId')
    await open('/requests?find=eth_chainId', 'Requests')
    await table(page).getByRole('button', { name: 'eth_chainId' }).click()
    const kept = page.getByRole('region', { name: 'Parameters' })
    expect(await kept.locator('code').textContent()).toBe('[]')
    expect(await wrongsOn(page, complaints)).toEqual(nothingWrong)
    await page.context().close()
  })

  test('details go on to the next request, a stretch of time is looked at alone, and requests are saved', async () => {
    const { page, open } = await subject.visit(wallet)
    await open('/requests', 'Requests')
    await rowOf(page, 'eth_getLogs').waitFor()
    await table(page).getByRole('button', { name: 'eth_call' }).first().click()
    const details = page.getByRole('complementary', { name: 'Request' })
    const id = () => details.locator('.font-mono.text-xs').textContent()
    const first = await id()
    await details.getByRole('button', { name: 'Older' }).click()
    expect(await id()).not.toBe(first)
    await details.getByRole('button', { name: 'Newer' }).click()
    expect(await id()).toBe(first)

    const row = table(page).getByRole('button', { name: 'eth_call' }).first()
    await page.keyboard.press('Escape')
    await details.waitFor({ state: 'hidden' })
    expect(await hasFocus(row)).toBe(true)
    await page.keyboard.press('Enter')
    await details.waitFor()
    expect(await hasFocus(details)).toBe(true)
    const older = details.getByRole('button', { name: 'Older' })
    await older.focus()
    for (let step = 0; step < 20 && (await older.isEnabled()); step++) await page.keyboard.press('Enter')
    expect([await older.isEnabled(), await hasFocus(older)]).toEqual([false, true])
    await page.keyboard.press('Escape')

    for (const [title, content] of [
      ['Save as CSV', /^\uFEFF?time,status,class,/],
      ['Save as JSON lines', /^\{"id":/],
    ] as const) {
      await page.getByRole('button', { name: 'Export' }).click()
      const saving = page.waitForEvent('download')
      await page.getByRole('menuitem', { name: title }).click()
      const text = await Bun.file(await (await saving).path()).text()
      expect(text).toMatch(content)
      expect(text.trimEnd().split('\n').length).toBeGreaterThanOrEqual(13)
    }

    const box = await page.locator('svg[data-zoom]').boundingBox()
    if (box === null) throw new Error('no time line')
    const y = box.y + box.height / 2
    await page.mouse.move(box.x + box.width * 0.2, y)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.4, y)
    await page.mouse.up()
    await page.waitForURL(/span=\d{13}-\d{13}/)
    await page.getByText('No requests in this time').waitFor()
    await page.getByRole('button', { name: 'Show the whole time' }).click()
    await rowOf(page, 'eth_getLogs').waitFor()
    await page.context().close()
  })

  test('operators see all accounts, by name; others are not offered them', async () => {
    const mine = await subject.visit(wallet)
    await mine.open('/requests', 'Requests')
    await rowOf(mine.page, 'eth_getLogs').waitFor()
    expect(await mine.page.getByRole('button', { name: /^Account: / }).count()).toBe(0)
    await mine.page.context().close()

    const { page, open } = await subject.visit(subject.operator)
    await open('/requests', 'Requests')
    await page.getByText('No requests in this time').waitFor()
    await page.getByRole('button', { name: 'Account: My requests' }).click()
    await page.getByRole('button', { name: 'All accounts' }).click()
    await table(page).getByRole('button', { name: 'eth_getLogs' }).first().click()
    const details = page.getByRole('complementary', { name: 'Request' })
    await details.getByText('Broken', { exact: true }).waitFor()
    await details.getByRole('button', { name: 'This key only' }).click()
    await page.waitForURL(/key=qkey_/)
    await rowOf(page, 'eth_getLogs').waitFor()
    expect(await table(page).getByRole('row').count()).toBe(2)
    await page.context().close()
  })
})
