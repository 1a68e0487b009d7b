import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'

import { callInPage } from '../support/call-in-page.ts'
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
import { administer } from '../support/database-dump.ts'
import { loseUntilTriedAgain } from '../support/lost-calls.ts'
import { needs } from '../support/needs.ts'

const isReady = needs('chromium-headless-shell')

/** More than one page of them. */
const tokenCount = 60

const entries = (page: Page) => page.getByRole('list', { name: /Entries/ }).getByRole('listitem')

describe.skipIf(!isReady)('the audit log', () => {
  let subject: ConsoleUnderTest
  let database: TestDatabase

  beforeAll(async () => {
    database = await testDatabase()
    subject = await startConsole('', { DATABASE_URL: database.url })
    const { services, verifiers } = subject.server.operator
    const labels = Array.from({ length: tokenCount }, (_, made) => `spare ${made}`)
    await Promise.all(labels.map((label) => verifiers.createToken.mutate({ label })))
    const { page, open } = await subject.visit(subject.operator)
    await open('/audit-log', 'Audit log')
    const key = { name: 'Build server', permissions: ['token_create'], allowedIps: ['192.0.2.0/24'] }
    const created = (await callInPage(page, 'apiKeys.create', key)) as { key: { id: string } }
    const { id } = created.key
    await callInPage(page, 'apiKeys.update', {
      id,
      ...key,
      permissions: ['token_create', 'statistics_read'],
      allowedDomains: ['*.example.com'],
    })
    await callInPage(page, 'apiKeys.setEnabled', { id, isEnabled: false })
    await page.context().close()
    const spec = { id: 'node-a', name: 'Node A', family: 'http', provider: 'Acme' } as const
    await services.add.mutate({ ...spec, endpoint: 'http://127.0.0.1:9/', policy: {} })
    await services.startMaintenance.mutate({ id: 'node-a', until: null, note: 'New disks' })
  })

  afterAll(async () => {
    await subject.stop()
    await database.drop()
  })

  describe.each([...looks])('$name', (look) => {
    test('in every state of the page', async () => {
      const { page, open, complaints } = await subject.visit(subject.operator, look)
      const judge = async () => expect(await wrongsOn(page, complaints)).toEqual(nothingWrong)

      await open('/audit-log', 'Audit log')
      await page.getByText('50 entries, and there are older ones').waitFor()
      await judge()

      await open('/audit-log?what=api_key.update', 'Audit log')
      await page.getByRole('button', { name: /Show details of entry/ }).click()
      await page.getByRole('table', { name: 'What changed' }).waitFor()
      await judge()

      await page.getByRole('button', { name: 'Check the chain' }).click()
      await page.getByText(/^All \d+ entries are as they were recorded\.$/).waitFor()
      await judge()

      await open('/audit-log?what=account.unlink&subject=service:node-a', 'Audit log')
      await page.getByText('No entry matches').waitFor()
      await judge()
      await page.context().close()
    })
  })

  test('says in words who did what, and what it changed', async () => {
    const { page, open } = await subject.visit(subject.operator)
    await open('/audit-log', 'Audit log')
    const change = entries(page).filter({ hasText: 'changed the API key Build server' })
    await change.getByText('from 127.0.0.1').waitFor()
    await change.getByRole('button', { name: /Show details/ }).press('Enter')
    const row = (title: string) => change.getByRole('row').filter({ hasText: title })
    expect(await row('Permissions').getByRole('cell').allTextContents()).toEqual([
      'token_create',
      'token_create\nstatistics_read',
    ])
    expect(await row('Allowed domains').getByRole('cell').allTextContents()).toEqual([
      'none',
      '*.example.com',
    ])
    expect(await change.getByText('As before:').textContent()).toContain('Allowed IPs')

    await entries(page)
      .filter({ hasText: 'Command line started maintenance of the service' })
      .getByRole('link', { name: 'node-a' })
      .click()
    await page.waitForURL('**/services/node-a')
    await page.context().close()
  })

  test('is read page by page', async () => {
    const { page, open } = await subject.visit(subject.operator)
    await open('/audit-log?what=verifier.token', 'Audit log')
    await page.getByText('50 entries, and there are older ones').waitFor()
    await page.getByRole('button', { name: 'Load older ones' }).click()
    await page.getByText(`${tokenCount} entries`, { exact: true }).waitFor()
    expect(await entries(page).count()).toBe(tokenCount)
    await page.context().close()
  })

  test('is filtered by who, what and when, and the filter stands in the address', async () => {
    const { page, open } = await subject.visit(subject.operator)
    await open('/audit-log', 'Audit log')
    await page.getByLabel('Who').selectOption({ label: 'Command line' })
    await page.getByLabel('What').selectOption({ label: 'Service registered' })
    await page.getByRole('button', { name: 'Today' }).click()
    await page.getByText('1 entry', { exact: true }).waitFor()
    await entries(page).getByText('Command line registered the service Node A').waitFor()
    const { searchParams } = new URL(page.url())
    expect([searchParams.get('who'), searchParams.get('what')]).toEqual(['cli', 'service.add'])
    await page.reload()
    await page.getByText('1 entry', { exact: true }).waitFor()

    await page.getByRole('button', { name: /Show details/ }).click()
    await page.getByRole('button', { name: 'Everything about this service' }).click()
    await page.getByRole('button', { name: 'Only about node-a' }).waitFor()
    await page.getByLabel('What').selectOption({ label: 'Everything' })
    await page.getByText('2 entries', { exact: true }).waitFor()
    await page.getByLabel('To, included').fill('2020-01-01')
    await page.getByText('No entry matches').waitFor()
    await page.getByRole('button', { name: 'Clear the filter' }).last().click()
    await page.getByText('50 entries, and there are older ones').waitFor()
    expect(new URL(page.url()).search).toBe('')
    await page.context().close()
  })

  test('is exported as it is shown', async () => {
    const { page, open } = await subject.visit(subject.operator)
    await open('/audit-log?what=api_key.create', 'Audit log')
    await page.getByText('1 entry', { exact: true }).waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export these as CSV' }).click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^audit-log-\d+-to-\d+\.csv$/)
    const [header, line, ...rest] = (await readFile(await file.path(), 'utf8')).split('\r\n')
    expect(header).toStartWith('\uFEFFnumber,at,actor')
    expect(line).toContain(',api_key.create,api_key,')
    expect(rest).toEqual([''])
    await page.context().close()
  })

  test('a log that cannot be read says so, and comes back', async () => {
    const { page, open } = await subject.visit(subject.operator)
    await loseUntilTriedAgain(page, /\/trpc\/[^?]*audit\.list/)
    await open('/audit-log', 'Audit log')
    await page.getByText('The audit log could not be loaded').waitFor()
    expect(await violationsOn(page)).toEqual([])
    await page.getByRole('button', { name: 'Try again' }).click()
    await entries(page).first().waitFor()
    await page.context().close()
  })

  describe('an entry that somebody changed past the server', () => {
    beforeAll(() =>
      administer(
        database.url,
        `ALTER TABLE audit_events DISABLE TRIGGER USER; UPDATE audit_events SET actor_label = 'Nobody' WHERE seq = 7`,
      ),
    )

    test.each([...looks])('is named, $name', async (look) => {
      const { page, open, complaints } = await subject.visit(subject.operator, look)
      await open('/audit-log', 'Audit log')
      await page.getByRole('button', { name: 'Check the chain' }).press('Enter')
      await page.getByText('Entry 7 is not as it was recorded.').waitFor()
      expect(await wrongsOn(page, complaints)).toEqual(nothingWrong)
      await page.context().close()
    })
  })
})
