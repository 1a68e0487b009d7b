import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { looks, nothingWrong, startConsole, wrongsOn } from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest } from '../../scripts/world/console-under-test.ts'
import { healthClient } from '../support/health-client.ts'
import { needs } from '../support/needs.ts'
import { quicklyJudged, startProbedEndpoints } from '../support/probed-endpoints.ts'

const isReady = needs('chromium-headless-shell')
const endpoints = startProbedEndpoints()
const alone = { minLive: 1 }
const services = [
  quicklyJudged('eth-a', 'Ethereum mainnet A', 'Acme Nodes', endpoints.good, alone),
  quicklyJudged('base', 'Base archive', 'Acme Nodes', endpoints.dead, alone),
]
const groups = [{ name: 'Networks', services: [{ id: 'eth-a', as: 'Ethereum' }] }]
const file = { services, status: [{ page: 'declared', title: 'Declared in the file', groups }] }
const shownAs = process.env['GATEHOUSE_TEST_PICTURES']

describe.skipIf(!isReady)('status pages', () => {
  let subject: ConsoleUnderTest

  beforeAll(async () => {
    subject = await startConsole(file)
    await healthClient(subject.server.url).until({ 'eth-a': 'UP', base: 'DOWN' })
  })
  afterAll(async () => {
    await subject?.stop()
    await endpoints.stop()
  })

  const read = async (path: string): Promise<string> => (await fetch(`${subject.server.url}${path}`)).text()

  test('an operator makes one, looks at it, publishes it, and tells visitors of an incident', async () => {
    const { page, open, complaints } = await subject.visit(subject.operator)
    await open('/status-pages', 'Status pages')
    await page.getByRole('button', { name: 'Create status page' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Enter a name, which is the end of its address.').waitFor()
    await page.getByText('Add at least one service to each group.').waitFor()
    await page.getByLabel('Name (required)').fill('main')
    await page.getByLabel('Title (required)').fill('Acme nodes')
    await page.getByLabel('Group 1', { exact: true }).fill('Networks')
    await page.getByLabel('Add a service to group 1').selectOption('base')
    await page.getByLabel('Add a service to group 1').selectOption('eth-a')
    await page.getByLabel('Base archive is shown as').fill('Base')
    await page.getByRole('button', { name: 'Ethereum mainnet A up' }).click()
    expect(await wrongsOn(page, complaints, '[role=dialog]')).toEqual(nothingWrong)
    if (shownAs !== undefined) await page.screenshot({ path: `${shownAs}-drawer.png` })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('“Acme nodes” is saved. Look at its preview').waitFor()
    const preview = await page.getByRole('link', { name: 'Preview of main' }).getAttribute('href')
    expect(await (await fetch(preview ?? '')).text()).toContain('A preview: this page is not published.')
    expect(await read('/status/main')).toContain('not_found')
    await page.getByRole('button', { name: 'Edit main' }).click()
    await page.getByLabel('Published').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('is saved, and visitors see it').waitFor()
    const html = await read('/status/main')
    expect(html.indexOf('<bdi>Ethereum mainnet A</bdi>')).toBeLessThan(html.indexOf('<bdi>Base</bdi></b>'))

    await page.getByRole('tab', { name: 'Incidents' }).click()
    await page.getByRole('button', { name: 'Publish an incident' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByLabel('Page', { exact: true }).selectOption('main')
    await drawer.getByLabel('Title (required)').fill('Base is being repaired')
    await drawer.getByLabel('Base', { exact: true }).check()
    await drawer.getByLabel('What visitors should know').fill('A disk failed.')
    expect(await wrongsOn(page, complaints, '[role=dialog]')).toEqual(nothingWrong)
    await drawer.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByRole('heading', { name: 'Base is being repaired' }).waitFor()
    expect(await read('/status/main')).toContain('<b>Investigating.</b> A disk failed.')
    await page.getByRole('button', { name: 'Write an update of Base is being repaired' }).click()
    await page.getByRole('dialog').getByLabel('Stage').selectOption('resolved')
    await page.getByRole('dialog').getByLabel('What visitors should know').fill('A new one is in.')
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
    await page.getByText('The update is published.').waitFor()
    expect(await read('/status/main')).toContain('A new one is in.')

    await page.getByRole('tab', { name: 'Pages' }).click()
    await page.getByRole('button', { name: 'Delete main' }).click()
    await page.getByLabel('Type “main” to confirm').fill('main')
    await page.getByRole('button', { name: 'Delete status page' }).click()
    await page.getByText('“Acme nodes” is deleted.').waitFor()
    expect(await read('/status/main')).toContain('not_found')
    expect(complaints).toEqual([])
  })

  test('one of the file is shown, and changed there only', async () => {
    const { page, open } = await subject.visit(subject.operator)
    await open('/status-pages', 'Status pages')
    await page.getByText('Declared in the file').waitFor()
    await page.getByText('Managed by the file').waitFor()
    expect(await page.getByRole('button', { name: 'Edit declared' }).count()).toBe(0)
  })

  test.each([...looks])('$name: its parts are clear, fit, and can be used by everybody', async (look) => {
    const visitor = await subject.visit(subject.operator, look)
    const { page, open, complaints } = visitor
    for (const tab of ['pages', 'incidents', 'report']) {
      await open(`/status-pages?tab=${tab}&month=${new Date().toISOString().slice(0, 7)}`, 'Status pages')
      if (tab === 'report') await page.getByText('Ethereum mainnet A').waitFor()
      if (tab === 'pages') await page.getByText('Declared in the file').waitFor()
      if (tab === 'incidents')
        await page.getByRole('button', { name: 'Publish an incident' }).waitFor({ state: 'visible' })
      if (shownAs !== undefined)
        await page.screenshot({ path: `${shownAs}-${tab}-${look.name}.png`, fullPage: true })
      expect(await wrongsOn(page, complaints)).toEqual(nothingWrong)
    }
  })

  test('the report of a month is saved as a file', async () => {
    const { page, open } = await subject.visit(subject.operator)
    await open(`/status-pages?tab=report&month=${new Date().toISOString().slice(0, 7)}`, 'Status pages')
    await page.getByText('Ethereum mainnet A').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ])
    const text = await Bun.file(await download.path()).text()
    expect(text).toContain('month,service,name,provider,objective (%)')
    expect(text).toContain(',eth-a,Ethereum mainnet A,Acme Nodes,99.9,')
    // On paper it lies, so that the table has room for its columns.
    const paper = await page.pdf({ preferCSSPageSize: true })
    expect(paper.toString('latin1')).toContain('/MediaBox [0 0 792 612]')
  })
})
