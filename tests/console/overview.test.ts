import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'

import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import { startAnsweringNode } from '../support/answering-node.ts'
import { callWith } from '../../scripts/world/console-query-keys.ts'
import {
  looks,
  nothingWrong,
  startConsole,
  violationsOn,
  wrongsOn,
} from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest } from '../../scripts/world/console-under-test.ts'
import { callInPage } from '../support/call-in-page.ts'
import { testDatabase } from '../../scripts/world/database.ts'
import type { TestDatabase } from '../../scripts/world/database.ts'
import { healthClient } from '../support/health-client.ts'
import { changedRule } from '../../console/alerts/changed-rule.ts'
import { loseUntilTriedAgain } from '../support/lost-calls.ts'
import { needs } from '../support/needs.ts'
import { card } from '../support/page.ts'
import { quicklyJudged, startProbedEndpoints } from '../support/probed-endpoints.ts'
import { makeUsedKeys } from '../support/used-keys.ts'
import { enrolWireVerifier } from '../../scripts/world/wire-verifier.ts'
import { dayMs } from '../../shared/durations.ts'

const isReady = needs('chromium-headless-shell')
const endpoints = startProbedEndpoints()
const node = startAnsweringNode()

/** One verifier is enough for a decision, so that an isolated second one takes none away. */
const alone = { minLive: 1 }
const services = [
  quicklyJudged('eth-a', 'Ethereum mainnet A', 'Acme Nodes', endpoints.good, alone),
  quicklyJudged('eth-b', 'Ethereum mainnet B', 'Northern Lights', endpoints.good, alone),
  quicklyJudged('status-page', 'Status page', 'Acme Nodes', endpoints.good, alone),
  quicklyJudged('polygon', 'Polygon archive', 'Blockyard', endpoints.slow, alone),
  quicklyJudged('base', 'Base archive', 'Acme Nodes', endpoints.dead, alone),
  quicklyJudged('indexer', 'Indexer', 'Blockyard', endpoints.dead, alone),
  quicklyJudged('graph', 'Subgraph gateway', 'Blockyard', endpoints.good, { minLive: 9 }),
]

const routes = ['testnet', 'archive'].map((name) => ({
  name,
  chain: 'ethereum',
  upstreams: [{ url: node.url }],
}))

const untilRead = async (page: Page): Promise<void> => {
  await card(page, 'Needs attention').getByText('2 services are DOWN').waitFor()
  await card(page, 'Needs attention').getByText('API keys were never used').waitFor()
  await card(page, 'Needs attention').getByText('of the rate limit of “Trial” is used').waitFor()
  await card(page, 'Needs attention').getByText('query keys reached a limit').waitFor()
  await page.getByRole('slider', { name: 'Calls by hour' }).waitFor()
  await card(page, 'Health by chain').getByText('Live').waitFor()
  await card(page, 'First steps').getByText('done', { exact: false }).first().waitFor()
}

describe.skipIf(!isReady)('the overview', () => {
  let database: TestDatabase
  let subject: ConsoleUnderTest
  let reporting: Timer

  beforeAll(async () => {
    database = await testDatabase()
    subject = await startConsole({ services, endpoints: routes }, { DATABASE_URL: database.url })
    const { url, operator } = subject.server
    // After a minute or two alerts would tell of single things what is counted here.
    const rules = await operator.alertRules.list.query()
    const early = new Set([
      'Node down',
      'Too few verifiers',
      'Verifier gone or cut off',
      'Key ends',
      'Limit nearly used',
    ])
    for (const rule of rules)
      if (early.has(rule.name))
        await operator.alertRules.update.mutate(changedRule(rule, () => true, { enabled: false }))
    const { token } = await operator.verifiers.createToken.mutate({ label: 'singapore-2' })
    const verifier = await enrolWireVerifier(url, token, 'singapore-2')
    const report = () => verifier.report({ isolated: true })
    await report()
    reporting = setInterval(() => void report(), 5_000)
    const { page, open } = await subject.visit(subject.operator)
    await open('/', 'Overview')
    const create = (name: string, expiresAt: number | null) =>
      callInPage(page, 'apiKeys.create', { name, permissions: ['token_create'], expiresAt })
    await create('Build server', Date.now() + 5 * dayMs)
    await create('Nightly report', null)
    await create('Last year', Date.now() + 300)
    const trial = { name: 'Trial', endpoint: 'testnet', rateLimit: 10, rateLimitPeriod: 'day' }
    const { value } = (await callInPage(page, 'queryKeys.create', trial)) as { value: string }
    for (let made = 0; made < 9; made++) await callWith(url, 'testnet', value)
    await makeUsedKeys(subject, database)
    await page.context().close()
    await healthClient(url).until({
      'eth-a': 'UP',
      'eth-b': 'UP',
      'status-page': 'UP',
      polygon: 'LATENCY',
      base: 'DOWN',
      indexer: 'DOWN',
      graph: 'UNKNOWN',
    })
  })

  afterAll(async () => {
    clearInterval(reporting)
    await subject?.stop()
    await database?.drop()
    await Promise.all([endpoints.stop(), node.stop()])
  })

  describe.each([...looks])('$name', (look) => {
    test('with much to look after', async () => {
      const { page, open, complaints } = await subject.visit(subject.operator, look)
      await open('/', 'Overview')
      await untilRead(page)
      await card(page, 'Recent activity').getByText('signed in').first().waitFor()
      expect(await wrongsOn(page, complaints)).toEqual(nothingWrong)
      const title = await page.getByRole('heading', { name: 'Traffic of the last 24 hours' }).boundingBox()
      expect(title?.height).toBeLessThan(30) // one line, whatever stands beside it
      await page.context().close()
    })
  })

  test('says what needs attention, and leads to the list of it', async () => {
    const { page, open } = await subject.visit(subject.operator)
    await open('/', 'Overview')
    await untilRead(page)
    expect(await card(page, 'Needs attention').getByRole('link').allTextContents()).toEqual([
      '2 services are DOWN',
      '1 verifier is cut off from its network',
      '1 service is UNKNOWN: too few verifiers report',
      '1 service is behind or slow',
      '90% of the rate limit of “Trial” is used',
      '2 query keys reached a limit in the last 24 hours',
      '1 API key expires within 14 days',
      '1 API key has expired',
      '2 API keys were never used',
    ])

    const follow = async (name: string, heading: string): Promise<void> => {
      await open('/', 'Overview')
      await card(page, 'Needs attention').getByRole('link', { name }).click()
      await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    }
    await follow('2 services are DOWN', 'Services')
    await page.getByText('Base archive').first().waitFor()
    expect(await page.getByText('Polygon archive').count()).toBe(0)
    await follow('1 verifier is cut off from its network', 'Verifiers')
    await page.getByText('singapore-2', { exact: true }).waitFor()
    expect(await page.getByText('built-in', { exact: true }).count()).toBe(0)
    await follow('90% of the rate limit of “Trial” is used', 'Query keys')
    await page.getByText('Trial', { exact: true }).first().waitFor()
    expect(await page.getByText('Wallet app').count()).toBe(0)
    await follow('2 query keys reached a limit', 'Usage')
    await page.getByRole('link', { name: 'Public demo' }).waitFor()
    expect(await page.getByRole('link', { name: 'Wallet app' }).count()).toBe(0)
    await follow('1 API key expires within 14 days', 'API keys')
    await page.getByText('Build server').first().waitFor()
    expect(await page.getByText('Nightly report').count()).toBe(0)
    await page.context().close()
  })

  test('shows the last day of each chain, and leads to its services', async () => {
    const { page, open } = await subject.visit(subject.operator)
    await open('/', 'Overview')
    await untilRead(page)
    const health = card(page, 'Health by chain')
    const [line] = await health.getByRole('listitem').allTextContents()
    expect(line?.replaceAll(/\s+/g, ' ')).toContain('3 of 7 UP')
    const day = health.getByRole('img', { name: /^Last 24 hours: DOWN \d\d:00 to \d\d:00$/ })
    await day.waitFor()
    await day.getByTitle(/: DOWN$/).waitFor()
    expect(await day.getByTitle(/: not watched$/).count()).toBe(23)
    await health.getByRole('link', { name: 'http' }).click()
    await page.waitForURL('**/services?family=http')
    await page.getByText('Subgraph gateway').first().waitFor()
    await page.context().close()
  })

  test('names the next of the first steps, ticks those that are done, and hides them for good', async () => {
    const { page, open } = await subject.visit(subject.operator)
    await open('/', 'Overview')
    const steps = card(page, 'First steps')
    await steps.getByText('5 of 8 done').waitFor()
    expect(await steps.getByRole('link').allTextContents()).toEqual(['Run three verifiers'])
    await steps.getByText('Next:').waitFor()
    await steps.getByRole('button', { name: 'All steps', expanded: false }).press('Enter')
    await steps.getByRole('button', { name: 'All steps', expanded: true }).waitFor()
    expect(await steps.getByRole('link').allTextContents()).toEqual([
      'Run three verifiers',
      'Link a second way to sign in',
      'Set up sign-in with a provider',
    ])
    await steps.getByRole('button', { name: 'Hide' }).press('Enter')
    await steps.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('button', { name: 'Show the first steps' }).click()
    await steps.getByText('5 of 8 done').waitFor()
    await page.context().close()
  })

  test('sums up the calls of a day: those of everybody, and one’s own with the way to them', async () => {
    const { page, open } = await subject.visit(subject.operator)
    await open('/', 'Overview')
    await untilRead(page)
    const traffic = card(page, 'Traffic of the last 24 hours')
    expect(await traffic.getByRole('link').count()).toBe(0)
    const everybodys = await traffic.getByRole('listitem').allTextContents()
    await traffic.getByText('Mine', { exact: true }).click()
    await traffic.getByRole('link').first().waitFor()
    expect(await traffic.getByRole('listitem').allTextContents()).toEqual(everybodys)
    const chart = page.getByRole('slider', { name: 'Calls by hour' })
    await chart.press('End')
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/Answered [\d,]+, .*Refused by a limit \d+/)
    await traffic.getByRole('link', { name: 'refused' }).click()
    await page.waitForURL('**/usage?only=refused')
    await page.getByRole('link', { name: 'Partner sandbox' }).waitFor()
    await page.context().close()
  })

  test('shows how a program asks', async () => {
    const { page, open } = await subject.visit(subject.operator)
    await open('/', 'Overview')
    await untilRead(page)
    const command = await card(page, 'API example').getByRole('region').textContent()
    const [, address = ''] = /^curl (\S+)$/.exec(command ?? '') ?? []
    const { result } = (await (await fetch(address)).json()) as { result: { serviceId: string } }
    expect(services.map(({ id }) => id)).toContain(result.serviceId)
    await page.context().close()
  })

  test('a part that fails says so, and the others stand', async () => {
    const { page, open } = await subject.visit(subject.operator)
    const serviceCalls = /\/trpc\/[^?]*services\.list/
    await loseUntilTriedAgain(page, serviceCalls)
    await open('/', 'Overview')
    await card(page, 'Needs attention').getByText('Services could not be read').waitFor()
    await card(page, 'Health by chain').getByText('Services could not be read').waitFor()
    await card(page, 'API example').getByText('/health/my-service').waitFor()
    expect(await violationsOn(page)).toEqual([])
    await card(page, 'Health by chain').getByRole('button', { name: 'Try again' }).click()
    await card(page, 'Needs attention').getByText('2 services are DOWN').waitFor()
    await page.context().close()
  })

  test('of an account that is no operator holds what concerns it', async () => {
    const { page, open, complaints } = await subject.visit(createTestWallet())
    await open('/', 'Overview')
    await card(page, 'Needs attention').getByText('2 services are DOWN').waitFor()
    await card(page, 'First steps').getByText('0 of 4 done').waitFor()
    expect(await card(page, 'Needs attention').getByText('verifier is').count()).toBe(0)
    expect(await card(page, 'Recent activity').count()).toBe(0)
    expect(await violationsOn(page)).toEqual([])
    expect(complaints).toEqual([])
    await page.context().close()
  })
})
