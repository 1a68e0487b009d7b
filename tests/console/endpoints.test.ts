import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'

import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import {
  closeDialog,
  excessWidth,
  looks,
  phone,
  nothingWrong,
  startConsole,
  violationsOn,
  wrongsOn,
} from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest } from '../../scripts/world/console-under-test.ts'
import { healthClient } from '../support/health-client.ts'
import { makeQueryKeys } from '../../scripts/world/made-query-keys.ts'
import { needs } from '../support/needs.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import { startWatchedWorld } from '../../scripts/world/watched-world.ts'
import type { WatchedWorld } from '../../scripts/world/watched-world.ts'
import { button, choose, dialog, rowOf } from '../support/page.ts'

const isReady = needs('chromium-headless-shell')
const listCalls = /\/trpc\/[^?]*endpoints\.list/

const addressOf = (page: Page, place: number) =>
  upstreamOf(page, place).getByRole('textbox', { name: 'Address', exact: true })
const upstreamOf = (page: Page, place: number) =>
  page.getByRole('region', { name: `Upstream ${place}`, exact: true })

/** Endpoints as an installation has them: of the file, with a node that is DOWN, and with one that is not watched. */
const endpointsOf = (world: WatchedWorld) => [
  {
    name: 'ethereum',
    chain: 'ethereum',
    upstreams: [
      { service: 'eth-frankfurt', weight: 2 },
      { service: 'eth-virginia' },
      { url: `${world.node(2).url}/?key=secret-of-the-provider`, headers: { 'x-api-key': 'secret-header' } },
    ],
    methods: { allow: [], deny: ['debug_*', 'admin_*'] },
    credits: { eth_getLogs: 75, eth_call: 26 },
  },
  { name: 'base', chain: 'base', upstreams: [{ service: 'base-archive' }, { service: 'base-frankfurt' }] },
  { name: 'polygon', chain: 'polygon', upstreams: [{ service: 'polygon-osaka' }] },
]

/** Saves while the server is lost, and waits until it is back. */
async function saveInVain(page: Page): Promise<void> {
  await page.route('**/trpc/**', (route) => route.abort())
  await button(page, 'Save').click()
  await page.getByRole('dialog').getByText('The server cannot be reached', { exact: false }).waitFor()
  await page.unroute('**/trpc/**')
  await page.getByText('No connection to the server').waitFor({ state: 'hidden' })
}

describe.skipIf(!isReady)('the page of endpoints', () => {
  let world: WatchedWorld
  let subject: ConsoleUnderTest

  beforeAll(async () => {
    world = await startWatchedWorld()
    const file = {
      ...world.file,
      endpoints: endpointsOf(world),
      creditPrices: { default: 20, eth_chainId: 0, eth_sendRawTransaction: 80 },
    }
    subject = await startConsole(file)
    await healthClient(subject.server.url).until({ 'eth-frankfurt': 'UP', 'base-archive': 'UP' })
    await world.node(3).stop()
    await healthClient(subject.server.url).until({ 'base-archive': 'DOWN' })
    await subject.server.operator.endpoints.create.mutate({
      name: 'arbitrum',
      chain: 'arbitrum',
      upstreams: [
        { url: `${world.node(0).url}/?key=a`, headers: { authorization: 'Bearer b' }, weight: 1 },
        { service: 'arbitrum-virginia', weight: 3 },
      ],
      methods: { allow: ['eth_*', 'net_version'], deny: [] },
      credits: { eth_call: 30 },
    })
  }, 90_000)

  afterAll(async () => {
    await subject?.stop()
    await world?.stop()
  })

  async function visit(look?: (typeof looks)[number]) {
    const visitor = await subject.visit(subject.operator, look)
    await visitor.open('/endpoints', 'Endpoints')
    await rowOf(visitor.page, 'polygon').waitFor()
    return visitor
  }

  test('shows each with its upstreams in order, their health and what is wrong', async () => {
    const { page, context, complaints } = await visit()
    const upstreams = await rowOf(page, 'eth-frankfurt').getByRole('listitem').allInnerTexts()
    expect(upstreams.map((text) => text.replace(/\s+/g, ' '))).toEqual([
      'eth-frankfurt UP weight 2',
      'eth-virginia UP',
      `${new URL(world.node(2).url).host} not monitored`,
    ])
    await rowOf(page, 'base-archive').getByText('1 of 2 upstreams is DOWN: calls go to the rest.').waitFor()
    await rowOf(page, 'eth-frankfurt').getByText('Managed by the file').waitFor()
    await page.getByText(/^Updated/).waitFor()
    expect(await page.content()).not.toContain('secret')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('one is created, tested, edited with its upstreams moved by keyboard, and removed', async () => {
    const { page, context, complaints } = await visit()
    await button(page, 'Create endpoint').press('Enter')
    await page.getByLabel('Name', { exact: false }).fill('testnet')
    await page.getByLabel('Chain').selectOption('ethereum')
    await upstreamOf(page, 1).getByLabel('Service (required)').selectOption('eth-frankfurt')
    await button(page, 'Add upstream').click()
    await upstreamOf(page, 2).getByText('Address', { exact: true }).click()
    await upstreamOf(page, 2)
      .getByLabel('Address (required)')
      .fill(`${world.node(3).url}/?key=hidden`)
    await upstreamOf(page, 2).getByRole('button', { name: 'Add header' }).click()
    await page.getByLabel('Name of header 1').fill('x-api-key')
    await page.getByLabel('Value of header 1').fill('hidden-value')
    await page.getByLabel('Denied methods').pressSequentially('debug_* ')
    await page.getByText('none of', { exact: false }).waitFor() // node control and key use
    await button(page, 'Add price').click()
    await page.getByLabel('Method of price 1').fill('eth_getLogs')
    await page.getByLabel('Credits of price 1').fill('90')
    await page.getByRole('dialog').getByRole('button', { name: 'Create endpoint' }).click()
    await page.getByText('“testnet” is there: query keys can be created for it.').first().waitFor()

    await button(page, 'Test “testnet”').click()
    const tested = page.getByRole('dialog')
    await tested.getByText('1 of 2 upstreams answer as they should.').waitFor()
    await tested.getByText('It cannot be reached; is it running?').waitFor()
    await closeDialog(page)

    await choose(page, 'testnet', 'Edit')
    const up = button(page, 'Move upstream 2 up')
    await up.press('Enter')
    await page.getByText('The upstream is now 1 of 2.').waitFor({ state: 'attached' })
    const moved = button(page, 'Move upstream 1 down')
    expect(await moved.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await addressOf(page, 1).inputValue()).toBe('')
    expect(await upstreamOf(page, 1).getByLabel('Value of header 1').inputValue()).toBe('')
    await page.getByLabel('All other methods').fill('25')
    await saveInVain(page)
    expect(await page.getByLabel('All other methods').inputValue()).toBe('25')
    await button(page, 'Save').click()
    await page.getByText('“testnet” is saved and holds from now on.').first().waitFor()
    const stored = await subject.server.operator.endpoints.details.query({ name: 'testnet' })
    expect(stored.upstreams.map(({ id, headerNames }) => [id, headerNames])).toEqual([
      ['upstream-1', ['x-api-key']],
      ['eth-frankfurt', []],
    ])
    expect(stored.credits).toEqual({ eth_getLogs: 90, default: 25 })

    await choose(page, 'testnet', 'Remove')
    await page.getByText('No query key uses it.').waitFor()
    await page.getByLabel('Type “testnet” to confirm').fill('testnet')
    await button(page, 'Remove endpoint').click()
    await page.getByText('“testnet” is removed.').first().waitFor()
    await rowOf(page, 'testnet').waitFor({ state: 'detached' })
    expect(complaints.filter((text) => !text.includes('ERR_FAILED'))).toEqual([])
    await context.close()
  })

  test('what a change of methods opens and closes is said before it is saved', async () => {
    const { page, context, complaints } = await visit()
    await choose(page, 'arbitrum', 'Edit')
    const change = page.getByRole('status').filter({ hasText: 'What changes' })
    await page.getByLabel('Allowed methods').pressSequentially('anvil_* ')
    await page.getByText(/^none of \d+$/).waitFor() // a pattern opens no node control
    expect(await change.count()).toBe(0)
    await page.getByLabel('Allowed methods').pressSequentially('anvil_mine ')
    await change.getByText('Saving opens anvil_mine.').waitFor()
    await page.getByText(/^1 of \d+: anvil_mine$/).waitFor()
    await page.getByLabel('Relay methods that no table knows').check()
    await change.getByText('Saving opens methods that no table knows.').waitFor()
    await button(page, 'Remove eth_*').click()
    await change.getByText(/^Saving closes \d+ methods: eth_/).waitFor()
    expect(await violationsOn(page)).toEqual([])
    await button(page, 'Save').click()
    await page.getByText('“arbitrum” is saved and holds from now on.').first().waitFor()
    const stored = await subject.server.operator.endpoints.details.query({ name: 'arbitrum' })
    expect(stored.methods).toEqual({
      allow: ['net_version', 'anvil_*', 'anvil_mine'],
      deny: [],
      unknown: 'allow',
    })
    expect(complaints).toEqual([])
    await context.close()
  })

  test('paths are typed like methods, and are one entry each', async () => {
    const { page, context } = await visit()
    await choose(page, 'arbitrum', 'Edit')
    await page.getByLabel('Allowed methods').pressSequentially('GET /eth/v1/node/* POST /eth/../x ')
    await button(page, 'Remove GET /eth/v1/node/*').waitFor()
    await page.getByText(/^POST \/eth\/\.\.\/x: expected a method such as eth_call/).waitFor()
    await page.getByText('Times, attempts, sizes and cache').click()
    await button(page, 'Add settings for some methods').click()
    await page.getByLabel('Method', { exact: true }).fill('GET /eth/v1/beacon/genesis')
    await page.getByLabel('Answers are kept for').fill('12 hours')
    await button(page, 'Save').click()
    await page.getByText(/expected forever, or a time such as 5s/i).waitFor()
    await context.close()
  })

  test('what is missing or refused is said at its field', async () => {
    const { page, context } = await visit()
    await choose(page, 'arbitrum', 'Edit')
    await addressOf(page, 1).fill('http://127.0.0.2:1/')
    await button(page, 'Save').click()
    await page.getByText(/^Type the values again, or remove these headers/).waitFor()
    await upstreamOf(page, 1).getByRole('button', { name: 'Remove header 1' }).click()
    await addressOf(page, 1).fill('ftp://node.example.com')
    await page.getByLabel('All other methods').fill('2.5')
    await button(page, 'Save').click()
    await page.getByText('All other methods: a whole number of credits from 0 to 1,000,000.').waitFor()
    await page.getByLabel('All other methods').fill('')
    await button(page, 'Save').click()
    await page.getByText('An http or https address.').waitFor()
    await context.close()
  })

  test('one that query keys use stays, and says how many they are', async () => {
    const owner = await signInAt(subject.server.url)
    const wishes = ['one', 'two'].map((name) => ({ name, endpoint: 'arbitrum' }))
    await makeQueryKeys(owner, subject.server.url, wishes)
    const { page, context } = await visit()
    await choose(page, 'arbitrum', 'Remove')
    await page.getByText('2 query keys use it, so it cannot be removed yet').waitFor()
    await page.getByLabel('Type “arbitrum” to confirm').fill('arbitrum')
    await button(page, 'Remove endpoint').click()
    await page.getByText('2 query keys use this endpoint: delete them first').waitFor()
    await context.close()
  })

  test('one of the file says where it is changed', async () => {
    const { page, context } = await visit()
    await choose(page, 'polygon', 'Edit')
    await page.getByText('endpoints:', { exact: true }).waitFor()
    await button(page, 'Understood').click()
    await context.close()
  })

  test('is filtered in the address; a list that cannot be read says so', async () => {
    const { page, open, context } = await visit()
    await open('/endpoints?state=impaired', 'Endpoints')
    await rowOf(page, 'base-archive').waitFor()
    expect(await rowOf(page, 'eth-frankfurt').count()).toBe(0)
    await page.getByLabel('Search endpoints').fill('nothing has this name')
    await page.getByText('Nothing matches').waitFor()
    await button(page, 'Clear the filter').click()
    await rowOf(page, 'eth-frankfurt').waitFor()
    expect(new URL(page.url()).search).toBe('')

    await page.route(listCalls, (route) => route.abort())
    await page.reload()
    await page.getByText('This could not be loaded').waitFor()
    expect(await violationsOn(page)).toEqual([])
    await page.unroute(listCalls)
    await rowOf(page, 'eth-frankfurt').waitFor() // by itself, or by the button
    await context.close()
  })

  test('is no business of an account that is no operator', async () => {
    const { page, context } = await subject.visit(createTestWallet())
    await page.goto('/endpoints')
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.getByText('“Endpoints” is for operators of this installation alone.').first().waitFor()
    await context.close()
  })

  test('a step back closes what is open; the address names the details, and a link to them opens them', async () => {
    const { page, open, context, complaints } = await subject.visit(subject.operator, phone)
    await open('/', 'Overview')
    await button(page, 'Menu').click()
    await page.getByRole('link', { name: 'Endpoints' }).click()
    await rowOf(page, 'arbitrum').getByRole('button', { name: 'arbitrum', exact: true }).click()
    const details = page.getByRole('dialog', { name: 'arbitrum' })
    await details.waitFor()
    await page.waitForURL('**/endpoints?open=arbitrum')
    expect(
      await details.getByRole('button', { name: 'Close' }).evaluate((close) => close.matches(':focus')),
    ).toBe(true)
    await page.goBack()
    await details.waitFor({ state: 'detached' })
    await page.waitForURL('**/endpoints')
    await button(page, 'Create endpoint').click()
    const form = page.getByRole('dialog', { name: 'Create endpoint' })
    await form.waitFor()
    await page.goBack()
    await form.waitFor({ state: 'detached' })
    await page.getByRole('heading', { level: 1, name: 'Endpoints' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await open('/endpoints?open=arbitrum', 'Endpoints')
    await details.waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test.each([...looks])('in $name: the list, and everything that opens on it', async (look) => {
    const { page, context, complaints } = await visit(look)
    const judge = async (part?: string) =>
      expect(await wrongsOn(page, complaints, part)).toEqual(nothingWrong)
    await judge()
    await choose(page, 'ethereum', 'Details')
    await page.getByText('All other methods').waitFor()
    await page.getByText('debug_*, admin_*').waitFor()
    await judge(dialog)
    await closeDialog(page)
    await button(page, 'Test “ethereum”').click()
    await page.getByText('All 3 upstreams answer.').waitFor()
    await judge(dialog)
    await closeDialog(page)
    await choose(page, 'arbitrum', 'Edit')
    await page.getByLabel('Allowed methods').pressSequentially('eth_*x ')
    await button(page, 'Save').click()
    await page.getByText('Correct or remove what is marked.').waitFor()
    await judge(dialog)
    await closeDialog(page)
    await choose(page, 'arbitrum', 'Remove')
    await page
      .getByText(/query keys? use|No query key/)
      .first()
      .waitFor()
    await judge(dialog)
    await context.close()
  })

  test.each([...looks])('in $name: before there is one', async (look) => {
    const { page, context, complaints } = await subject.visit(subject.operator, look)
    await page.route(listCalls, (route) => {
      const calls = new URL(route.request().url()).pathname.split(',')
      return route.fulfill({ json: calls.map(() => ({ result: { data: [] } })) })
    })
    await page.goto('/endpoints?create=1')
    await page.getByRole('dialog', { name: 'Create endpoint' }).waitFor()
    await closeDialog(page)
    await page.getByText('No endpoint yet').waitFor()
    expect(await violationsOn(page)).toEqual([])
    expect({ excess: await excessWidth(page), complaints }).toEqual({ excess: 0, complaints: [] })
    await context.close()
  })
})
