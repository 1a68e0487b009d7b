import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'

import {
  looks,
  nothingWrong,
  startConsole,
  violationsOn,
  wrongsOn,
} from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest } from '../../scripts/world/console-under-test.ts'
import { testDatabase } from '../../scripts/world/database.ts'
import type { TestDatabase } from '../../scripts/world/database.ts'
import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import { healthClient } from '../support/health-client.ts'
import { loseUntilTriedAgain } from '../support/lost-calls.ts'
import { needs } from '../support/needs.ts'
import { button, dialog, rowOf } from '../support/page.ts'
import { quicklyJudged, startProbedEndpoints } from '../support/probed-endpoints.ts'
import { startReceivers } from '../support/receivers.ts'
import type { Receivers } from '../support/receivers.ts'

const isReady = needs('chromium-headless-shell')
const endpoints = startProbedEndpoints()
const alone = { minLive: 1 }
const hook = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

const itemOf = (page: Page, list: string, name: string) =>
  page.getByRole('list', { name: list, exact: true }).getByRole('listitem').filter({ hasText: name })
const opened = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

async function choose(page: Page, name: string, action: string): Promise<void> {
  await button(page, `Actions of “${name}”`).press('Enter')
  await page.getByRole('menuitem', { name: action }).press('Enter')
}

/** Of the rule of the file: after a minute one of those from the start fires, too. */
const firing = (page: Page, name: string, rule = 'At once') =>
  itemOf(page, 'Firing', name).filter({ hasText: `${rule} ·` })
const deliveries = (page: Page) => page.getByRole('table', { name: 'Deliveries' }).getByRole('row')

/** What fires is listed once the server has told it. */
async function untilFiring(page: Page): Promise<void> {
  await firing(page, 'Base archive').getByText('told to hooks and gone', { exact: false }).waitFor()
  await firing(page, 'Indexer').waitFor()
  await firing(page, 'Polygon archive', 'Slow').waitFor()
}

describe.skipIf(!isReady)('alerts', () => {
  let receivers: Receivers
  let database: TestDatabase
  let subject: ConsoleUnderTest

  beforeAll(async () => {
    receivers = await startReceivers()
    receivers.answer('/gone', { status: 410, text: 'Gone' })
    database = await testDatabase()
    const file = {
      services: [
        quicklyJudged('base', 'Base archive', 'Acme', endpoints.dead, alone),
        quicklyJudged('indexer', 'Indexer', 'Blockyard', endpoints.dead, alone),
        quicklyJudged('polygon', 'Polygon archive', 'Blockyard', endpoints.slow, alone),
        quicklyJudged('site', 'Status page', 'Acme', endpoints.good, alone),
      ],
      channels: [
        { name: 'hooks', type: 'webhook', url: `${receivers.url}/hook`, secret: hook },
        { name: 'gone', type: 'slack', url: `${receivers.url}/gone` },
      ],
      alerts: [
        { name: 'At once', when: { decision: ['DOWN'], for: '0s' }, channels: ['hooks', 'gone'] },
        { name: 'Slow', when: { decision: ['LATENCY'], for: '0s' } },
      ],
      maintenance: [
        {
          name: 'Weekly',
          services: { provider: 'Acme' },
          every: { from: '02:00', to: '02:30', days: ['sun'] },
        },
      ],
    }
    subject = await startConsole(file, { DATABASE_URL: database.url })
    await healthClient(subject.server.url).until({
      base: 'DOWN',
      indexer: 'DOWN',
      polygon: 'LATENCY',
      site: 'UP',
    })
  }, 90_000)

  afterAll(async () => {
    await subject?.stop()
    await database?.drop()
    await receivers?.stop()
    await endpoints.stop()
  })

  async function visit(path = '/alerts', look?: (typeof looks)[number]) {
    const visitor = await subject.visit(subject.operator, look)
    await visitor.open(path, 'Alerts')
    return visitor
  }

  describe.each([...looks])('$name', (look) => {
    test('the page, its parts, and everything that opens on it', async () => {
      const { page, complaints, context } = await visit('/alerts', look)
      const judge = async (part?: string) =>
        expect(await wrongsOn(page, complaints, part)).toEqual(nothingWrong)
      await untilFiring(page)
      await itemOf(page, 'Channels', 'hooks').getByText('last:', { exact: false }).waitFor()
      await deliveries(page).filter({ hasText: 'hooks' }).first().waitFor()
      await judge()
      for (const [creation, name] of [
        ['channel', 'Add channel'],
        ['rule', 'New rule'],
        ['silence', 'Silence alerts'],
        ['maintenance', 'Plan maintenance'],
      ] as const) {
        await page.goto(`/alerts?create=${creation}`)
        await opened(page, name).waitFor()
        if (creation !== 'channel') await page.getByText('Only these').click()
        if (creation === 'maintenance') await page.getByText('Again and again').click()
        else if (creation === 'channel') await page.getByLabel('Quiet hours').check()
        await judge(dialog)
        await page.keyboard.press('Escape')
        await page.getByText('Close without saving what you filled in?').waitFor()
        await judge(dialog)
        await button(page, 'Close without saving').click()
        await opened(page, name).waitFor({ state: 'hidden' })
      }
      await page.goto('/alerts?tab=deliveries')
      await deliveries(page).filter({ hasText: 'hooks' }).first().getByRole('button').first().click()
      await page.getByRole('list', { name: 'Attempts' }).waitFor()
      await judge(dialog)
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click()
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      await judge()
      await context.close()
    }, 90_000)
  })

  test('what fires leads to its service, whose page says so, as the overview does', async () => {
    const { page, open, context, complaints } = await visit()
    await untilFiring(page)
    await firing(page, 'Polygon archive', 'Slow')
      .getByText('its rule has no channel', { exact: false })
      .waitFor()
    await firing(page, 'Polygon archive', 'Slow').getByRole('link', { name: 'Polygon archive' }).click()
    await page.getByText(/Began .*; nobody is told: its rule has no channel/).waitFor()
    await page.getByText('Alert “Slow”: nobody is told', { exact: false }).waitFor()
    await open('/alerts', 'Alerts')
    await firing(page, 'Base archive').getByRole('link', { name: 'Base archive' }).click()
    await page.getByRole('heading', { level: 1, name: 'Base archive' }).waitFor()
    await page.getByText('The alert “At once” is firing').waitFor()
    await open('/', 'Overview')
    await page.getByRole('link', { name: /^At once: Indexer/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Indexer' }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('what the file sets is said to be so, and changed there', async () => {
    const { page, context } = await visit('/alerts?tab=rules')
    expect(await page.getByRole('switch', { name: 'Rule “At once”' }).isDisabled()).toBe(true)
    await choose(page, 'At once', 'Edit')
    await opened(page, '“At once”').getByText('alerts:').waitFor()
    await button(page, 'Understood').click()
    await page.getByRole('tab', { name: 'Channels' }).click()
    await choose(page, 'hooks', 'Delete')
    await opened(page, '“hooks”').getByText('channels:').waitFor()
    await context.close()
  })

  test('one form leads from no channel to a test that arrived, and gives it the rules that tell nobody', async () => {
    const { page, context, complaints } = await visit()
    await button(page, 'Add channel').press('Enter')
    const form = opened(page, 'Add channel')
    await form.getByLabel('Address').fill('htp:/nowhere')
    await form.getByText('An http or https address.').waitFor()
    await form.getByLabel('Name').fill('team')
    await form.getByLabel('Address').fill(`${receivers.url}/slack`)
    await form.getByText('An http or https address.').waitFor({ state: 'detached' })
    await form.getByText(/Tell it what the \d+ rules without a channel say/).waitFor()
    await page.keyboard.press('Enter')
    const done = opened(page, '“team” is added')
    await done.getByText('Its answer: 200 ok').waitFor()
    expect(JSON.stringify(receivers.bodies('/slack'))).toContain('This is a test')
    expect(await violationsOn(page, dialog)).toEqual([])
    await done.getByRole('button', { name: 'Done' }).press('Enter')
    await rowOf(page, 'Node down').getByText('team').waitFor()
    expect(await page.content()).not.toContain(`${receivers.url}/slack`)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('a secret that is made here is shown once, and an answer that is bad as it is', async () => {
    receivers.answer('/own', { status: 503, text: 'not now' })
    const { page, context } = await visit('/alerts?create=channel')
    await page.getByLabel('Type').selectOption({ label: 'Signed webhook' })
    await page.getByLabel('Name').fill('own')
    await page.getByLabel('Address').fill(`${receivers.url}/own`)
    await button(page, 'Add and send a test').press('Enter')
    await page.getByText(/The test was not taken .*503/).waitFor()
    const secret = await page.getByRole('region', { name: 'secret of the webhook' }).innerText()
    expect(secret).toStartWith('whsec_')
    await button(page, 'Done').press('Enter')
    await opened(page, /added/).waitFor({ state: 'hidden' })
    expect(await page.content()).not.toContain(secret)

    receivers.answer('/own', { status: 200, text: 'thanks' })
    await button(page, 'Send a test to “own”').press('Enter')
    await page.getByText(/The test was taken .*200/).waitFor()
    await choose(page, 'own', 'Edit')
    const edit = opened(page, 'Edit “own”')
    expect(await edit.getByLabel('Address').inputValue()).toBe('')
    await edit.getByLabel('Quiet hours').check()
    await edit.getByLabel('Time zone').selectOption('Europe/Berlin')
    await edit.getByRole('button', { name: 'Save' }).press('Enter')
    await itemOf(page, 'Channels', 'own').getByText('quiet every day 22:00 to 07:00, Europe/Berlin').waitFor()
    await choose(page, 'own', 'Delete')
    await page.keyboard.type('own')
    await page.keyboard.press('Enter')
    await itemOf(page, 'Channels', 'own').waitFor({ state: 'detached' })
    await context.close()
  })

  test('a rule is made, tried, switched, changed and deleted by keyboard', async () => {
    const { page, context, complaints } = await visit('/alerts?tab=rules')
    await button(page, 'New rule').first().press('Enter')
    const form = opened(page, 'New rule')
    await form.getByRole('button', { name: 'Save rule' }).press('Enter')
    await form.getByText('Give it a name.').waitFor()
    await page.keyboard.type('Base only')
    await form.getByLabel('For how long').fill('soon')
    await form.getByText('Expected a length of time such as 90s, 10m, 4h or 14d.').waitFor()
    await form.getByLabel('For how long').fill('0s')
    await form.getByRole('radio', { name: 'Only these' }).press('Space')
    await form.getByLabel('Services', { exact: true }).fill('Bas')
    await page.keyboard.press('Enter')
    await form.getByText('There is no “Bas” here').waitFor()
    await form.getByLabel('Services', { exact: true }).fill('base archive')
    await page.keyboard.press('Enter')
    await button(page, 'Remove Base archive').waitFor()
    await form.getByRole('button', { name: 'Try it' }).press('Enter')
    await form.getByText('It would fire now for 1 of', { exact: false }).waitFor()
    await form.getByRole('button', { name: 'Save rule' }).press('Enter')
    await rowOf(page, 'Base only').getByText('Base archive').waitFor()
    await page.getByRole('switch', { name: 'Rule “Base only”' }).press('Space')
    await page.getByText('“Base only” is off.', { exact: true }).waitFor()
    await choose(page, 'Base only', 'Edit')
    await page
      .getByLabel('When', { exact: true })
      .selectOption({ label: 'A service changes again and again' })
    await button(page, 'Save rule').press('Enter')
    await rowOf(page, 'Base only').getByText('6 changes or more in 1 h').waitFor()
    expect(await page.getByRole('switch', { name: 'Rule “Base only”' }).getAttribute('aria-checked')).toBe(
      'false',
    )
    await choose(page, 'Base only', 'Delete')
    await page.keyboard.type('Base only')
    await page.keyboard.press('Enter')
    await rowOf(page, 'Base only').waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
    await context.close()
  })

  test('what fires is acknowledged, and silenced with a reason until the silence is ended', async () => {
    const { page, context, complaints } = await visit()
    await untilFiring(page)
    await button(page, 'Acknowledge “Base archive”').first().press('Enter')
    await itemOf(page, 'Firing', 'Base archive').getByText('acknowledged', { exact: true }).first().waitFor()
    await button(page, 'Silence “Indexer”').first().press('Enter')
    await opened(page, 'Silence “Indexer”').waitFor()
    await page.keyboard.type('ticket 4471')
    await page.keyboard.press('Enter')
    await itemOf(page, 'Silences and maintenance', 'ticket 4471').waitFor()
    await itemOf(page, 'Firing', 'Indexer').getByText('silenced', { exact: true }).first().waitFor()
    await button(page, 'End the silence of Indexer now').press('Enter')
    await page.getByText('The silence is over', { exact: false }).waitFor()
    await itemOf(page, 'Silences and maintenance', 'ticket 4471').waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
    await context.close()
  })

  test('on the page of its service one is acknowledged with a note, which stands with the incident', async () => {
    const { page, context, complaints } = await visit()
    await untilFiring(page)
    await page.goto('/services/polygon')
    await button(page, 'Acknowledge “Slow”').press('Enter')
    await opened(page, 'Acknowledge “Slow”').waitFor()
    await page.keyboard.type('Provider moves a feed')
    await page.keyboard.press('Enter')
    await rowOf(page, 'Alert “Slow”').getByText('takes care of it: “Provider moves a feed”').waitFor()
    await button(page, 'Acknowledge “Slow”').waitFor({ state: 'detached' })
    expect(await violationsOn(page)).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  })

  test('maintenance is planned, once or again and again, and ended early', async () => {
    const { page, context, complaints } = await visit('/alerts?tab=silences')
    await itemOf(page, 'Silences and maintenance', 'Weekly')
      .getByText('every Sunday 02:00 to 02:30, UTC')
      .waitFor()
    await button(page, 'Plan maintenance').press('Enter')
    await page.getByLabel('Name').fill('New disks')
    await page.getByLabel('Begins').fill('2026-01-01T10:00')
    await page.getByLabel('Ends').fill('2026-01-01T09:00')
    await page.getByText('It ends before it begins.').waitFor()
    await page.getByLabel('Ends').fill('2099-01-01T09:00')
    await button(page, 'Save').press('Enter')
    await itemOf(page, 'Silences and maintenance', 'New disks').getByText('under way').waitFor()
    await button(page, 'End “New disks” now').press('Enter')
    await itemOf(page, 'Silences and maintenance', 'New disks').waitFor({ state: 'detached' })
    await button(page, 'Plan maintenance').press('Enter')
    await page.getByLabel('Name').fill('Staging')
    await page.getByRole('radio', { name: 'Again and again' }).press('Space')
    for (const day of ['Monday', 'Tuesday']) await button(page, day).press('Enter')
    await page.getByLabel('Time zone').selectOption('Europe/Berlin')
    await button(page, 'Save').press('Enter')
    const staging = itemOf(page, 'Silences and maintenance', 'Staging')
    await staging
      .getByText('every Wednesday, Thursday, Friday, Saturday, and Sunday 02:00', { exact: false })
      .waitFor()
    await choose(page, 'Staging', 'Delete')
    await staging.waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
    await context.close()
  })

  test('deliveries are filtered in the address, and show every attempt', async () => {
    const { page, context, complaints } = await visit('/alerts?tab=deliveries&channel=hooks')
    await deliveries(page).filter({ hasText: 'hooks' }).first().waitFor()
    expect(await deliveries(page).filter({ hasText: 'gone' }).count()).toBe(0)
    await page
      .getByRole('button', { name: /Base archive/ })
      .first()
      .press('Enter')
    await page.getByRole('list', { name: 'Attempts' }).getByText('200').first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByLabel('Result').selectOption({ label: 'Given up' })
    await page.getByText('Nothing matches').waitFor()
    await page.waitForURL(/state=dead/)
    await button(page, 'Clear the filter').press('Enter')
    await deliveries(page).filter({ hasText: 'gone' }).first().waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('what was given up is sent again from its drawer', async () => {
    const { page, context, complaints } = await visit('/alerts?tab=deliveries&channel=hooks')
    await deliveries(page).filter({ hasText: 'hooks' }).first().waitFor()
    await database.database.run(
      (sql) => sql`
        UPDATE deliveries SET state = 'dead', done_at = now() WHERE seq = (
          SELECT min(seq) FROM deliveries WHERE channel = 'hooks' AND state = 'sent')`,
    )
    await page.goto('/alerts?tab=deliveries&state=dead')
    await deliveries(page).filter({ hasText: 'hooks' }).first().getByRole('button').first().press('Enter')
    await button(page, 'Send again').press('Enter')
    await page.getByText('It is sent again.').waitFor()
    await page.getByRole('dialog').getByText('200').nth(1).waitFor()
    await button(page, 'Send again').waitFor({ state: 'hidden' })
    expect(complaints).toEqual([])
    await context.close()
  })

  test('a list that cannot be read says so, and comes back', async () => {
    const { page, context } = await visit('/alerts?tab=rules')
    await loseUntilTriedAgain(page, /\/trpc\/[^?]*alertRules\.list/)
    await page.reload()
    await page.getByText('This could not be loaded').waitFor()
    expect(await violationsOn(page)).toEqual([])
    await button(page, 'Try again').first().click()
    await page.getByRole('switch', { name: 'Rule “At once”' }).waitFor()
    await context.close()
  })

  test('are no business of an account that is no operator', async () => {
    const { page } = await subject.visit(createTestWallet())
    await page.goto('/alerts')
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.context().close()
  })
})
