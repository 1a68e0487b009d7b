import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'

import { startAnvilChain } from '../../scripts/world/anvil-chain.ts'
import type { AnvilChain } from '../../scripts/world/anvil-chain.ts'
import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import { excessWidth, looks, startConsole, violationsOn } from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest, Look, Visitor } from '../../scripts/world/console-under-test.ts'
import { needs } from '../support/needs.ts'
import { quickPolicy } from '../../scripts/world/watched-world.ts'

const isReady = needs('chromium-headless-shell')

/** What an operator does to services through the page, on a real node. */
describe.skipIf(!isReady)('a service', () => {
  let chain: AnvilChain
  let subject: ConsoleUnderTest
  let visitor: Visitor
  let page: Page
  let nodeUrl: string

  beforeAll(async () => {
    chain = await startAnvilChain(1)
    nodeUrl = chain.nodes[0]?.url ?? ''
    const testnet = { family: 'evm', name: 'Testnet', chainId: 31337, blockMs: 1_000 }
    const ofFile = {
      id: 'of-file',
      name: 'Node of the file',
      chain: 'testnet',
      provider: 'acme',
      endpoint: nodeUrl,
    }
    subject = await startConsole({ chains: { testnet }, services: [{ ...ofFile, policy: quickPolicy }] })
    visitor = await subject.visit(subject.operator)
    ;({ page } = visitor)
    page.setDefaultTimeout(15_000)
  })

  afterAll(async () => {
    await subject?.stop()
    await chain?.stop()
  })

  const dialog = () => page.getByRole('dialog')
  const field = (name: string | RegExp) => dialog().getByLabel(name, { exact: true })
  const errorOf = async (name: string | RegExp) => {
    const ids = (await field(name).getAttribute('aria-describedby'))?.split(' ') ?? []
    return page.locator(`[id="${ids.at(-1)}"]`).textContent()
  }
  const decision = (name: string) => page.getByRole('heading', { level: 2, name, exact: true })
  async function chooseAction(title: string, name = 'Node A'): Promise<void> {
    await page.getByRole('button', { name: `Actions of “${name}”` }).click()
    await page.getByRole('menuitem', { name: title }).click()
  }

  test('is not registered as long as something is missing or refused; each field says what', async () => {
    await visitor.open('/services', 'Services')
    await page.getByRole('button', { name: 'Register service' }).click()
    await dialog().getByRole('button', { name: 'Register' }).click()
    expect(await errorOf(/^Name \(/)).toBe('Required.')
    expect(await errorOf(/^Chain/)).toBe('Required.')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('placeholder'))).toBe('Node A')
    await field(/^Name \(/).fill('Node A')
    await field(/^Chain/).selectOption('Testnet')
    await field(/^Provider/).fill('acme')
    await field(/^Endpoint/).fill('ftp://node')
    await dialog().getByText('Advanced').click()
    await field('Id').fill('of-file')
    await dialog().getByRole('button', { name: 'Register' }).click()
    await dialog().getByText('Expected an http or https address.').waitFor()
    expect(await errorOf(/^Endpoint/)).toBe('Expected an http or https address.')
    await field(/^Endpoint/).fill(nodeUrl)
    await dialog().getByRole('button', { name: 'Register' }).click()
    await dialog().getByText('Taken by another service.').waitFor()
    expect(await errorOf('Id')).toBe('Taken by another service.')
  })

  test('is registered, and is UP as soon as a verifier has seen it', async () => {
    await field('Id').fill('node-a')
    await dialog().getByRole('button', { name: 'Add header' }).click()
    await field('Name of header 1').fill('x-api-key')
    await field('Value of header 1').fill('planted-secret')
    await field(/^Interval/).fill('1')
    await field(/^Hold before DOWN/).fill('1')
    await field(/^Hold before recovery/).fill('5')
    await field(/^Freshness/).fill('5')
    await dialog().getByRole('button', { name: 'Register' }).click()
    await page.waitForURL('**/services/node-a')
    await page.getByRole('heading', { level: 1, name: 'Node A' }).waitFor()
    await decision('UP').waitFor()
    await page.getByText('1 of 1 says UP').waitFor()
    await page.getByText(/^since \w+ \d+, \d{4}, \d+ s$/).waitFor()
    const votes = page.getByRole('table', { name: 'Votes of the verifiers' })
    await votes.getByText('built-in').waitFor()
    await page.getByText('Its head', { exact: true }).waitFor()
  }, 40_000)

  test('was not watched before it was registered, and its uptime says how long it was', async () => {
    const bar = page.getByRole('slider', { name: 'Decisions in the last 24 hours' })
    await page
      .getByText(/of the \d+ s watched/)
      .nth(2)
      .waitFor()
    await bar.focus()
    await page.keyboard.press('Home')
    expect(await bar.getAttribute('aria-valuetext')).toMatch(/: not watched 30 min$/)
    await page.keyboard.press('End')
    expect(await bar.getAttribute('aria-valuetext')).toMatch(/: UP .*, not watched 29 min/)
    expect(await page.getByText('UNKNOWN 0%').count()).toBe(3)
    await page.getByText('Error budget, objective 99.9%').waitFor()
  })

  test('has a history of minutes as well, and its name in the tab of the browser', async () => {
    await page.getByText('15 minutes', { exact: true }).click()
    await page.waitForURL('**/services/node-a?range=15m')
    expect(await page.title()).toBe('Node A · Gatehouse')
    const bar = page.getByRole('slider', { name: 'Decisions in the last 15 minutes' })
    await bar.focus()
    await page.keyboard.press('Home')
    expect(await bar.getAttribute('aria-valuetext')).toMatch(/: not watched 10 s$/)
    await page.getByText('30 days', { exact: true }).click()
    await page.getByRole('slider', { name: 'Decisions in the last 30 days' }).waitFor()
    await page.getByText('24 hours', { exact: true }).first().click()
    await page.waitForURL('**/services/node-a')
    const asked = page.waitForResponse((answer) =>
      decodeURIComponent(answer.url()).includes('"isBefore":true'),
    )
    const compare = page.getByRole('button', { name: 'Compare with the period before' })
    await compare.click()
    expect((await asked).status()).toBe(200)
    expect(await compare.getAttribute('aria-pressed')).toBe('true')
    await compare.click()
  })

  test('shows on its page, live, that its node stopped, and that it came back', async () => {
    await chain.nodes[0]?.stop()
    await decision('DOWN').waitFor()
    await page.getByText(/1 of 1 says DOWN: no connection, seen/).waitFor()
    const incidents = page.getByRole('table', { name: 'Incidents' })
    await incidents.getByText('still open').waitFor()
    await incidents.getByText('1 of 1 says DOWN: no connection').waitFor()
    await chain.nodes[0]?.start()
    await page.getByText(/^UP for \d s of 5 s; DOWN until then$/).waitFor()
    await page.getByRole('progressbar', { name: 'Until it is UP' }).waitFor()
    await decision('UP').waitFor()
    await incidents.getByText('still open').waitFor({ state: 'detached' })
  }, 60_000)

  test('is edited; what may be a credential is not shown again, and stays', async () => {
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    expect(await field(/^Endpoint/).inputValue()).toBe('')
    expect(await field('Name of header 1').inputValue()).toBe('x-api-key')
    expect(await dialog().textContent()).not.toContain('planted')
    await field(/^Name \(/).fill('Node A in Frankfurt')
    await field(/^Blocks behind/).fill('9')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Node A in Frankfurt' }).waitFor()
    await page.getByText(/ 9 blocks$/).waitFor()
    await decision('UP').waitFor()
  })

  test('has labels as verifiers find it, until something else is declared, which is told', async () => {
    const labels = page.getByRole('list', { name: 'Labels' })
    await labels.getByText('archive', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await field(/^Archive node/).selectOption('No: old states are pruned')
    await field(/^Lowest block/).fill('none')
    await dialog().getByRole('button', { name: 'Save' }).click()
    expect(await errorOf(/^Lowest block/)).toBe('Expected a whole number.')
    await field(/^Lowest block/).fill('5')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await labels.getByText('from block 5', { exact: true }).waitFor()
    await labels.getByText('pruned', { exact: true }).waitFor()
    expect(await labels.getByText('archive', { exact: true }).count()).toBe(0)
    await page.getByText('It is declared otherwise than verifiers find it').waitFor()
    await page.getByText('no archive node, state from block 5 on').waitFor()
    expect(await violationsOn(page)).toEqual([])
  }, 40_000)

  test('is muted for maintenance, which is ended before its time', async () => {
    await chooseAction('Mute for maintenance', 'Node A in Frankfurt')
    await dialog().getByText('Until …').click()
    await dialog().getByRole('button', { name: 'Start maintenance' }).click()
    expect(await errorOf('Until')).toBe('Say until when.')
    await dialog().getByText('4 hours').click()
    await field('Note').fill('New disks')
    await dialog().getByRole('button', { name: 'Start maintenance' }).click()
    await page.getByText('In maintenance', { exact: true }).waitFor()
    await page.getByText('New disks').waitFor()
    await page.getByText('in 3 hours').waitFor()
    await page.getByRole('button', { name: 'End maintenance' }).click()
    await page.getByText('In maintenance', { exact: true }).waitFor({ state: 'detached' })
  })

  test('is removed when its id was typed', async () => {
    await chooseAction('Remove', 'Node A in Frankfurt')
    const remove = dialog().getByRole('button', { name: 'Remove service' })
    expect(await remove.isDisabled()).toBe(true)
    await field('Type “node-a” to confirm').fill('node-a')
    await remove.click()
    await page.waitForURL('**/services')
    await page.getByRole('link', { name: 'Node of the file' }).waitFor()
    await page.getByRole('link', { name: 'Node A in Frankfurt' }).waitFor({ state: 'detached' })
    await visitor.open('/services/node-a', 'No such service')
    // Chromium reports each refusal that was provoked above.
    expect(visitor.complaints.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([])
  })

  test('of the file says where it is changed', async () => {
    await visitor.open('/services/of-file', 'Node of the file')
    for (const action of ['Edit', 'Remove']) {
      await chooseAction(action, 'Node of the file')
      await dialog().getByText('managed by the file of the installation').waitFor()
      await dialog().getByRole('button', { name: 'Understood' }).click()
    }
  })

  test('of one verifier alone is a reason to run three, which the page of verifiers and the first steps give', async () => {
    await visitor.open('/verifiers', 'Verifiers')
    await page.getByText('Run three verifiers, in different networks').waitFor()
    await page.getByText(/^One alone believes what it sees; of two, either one may decide alone/).waitFor()
    expect(await violationsOn(page)).toEqual([])
    await visitor.open('/', 'Overview')
    await page.getByRole('button', { name: 'All steps' }).click()
    await page.getByRole('link', { name: 'Run three verifiers' }).waitFor()
  })

  test('offers nothing to change to those who may not', async () => {
    const other = await subject.visit(createTestWallet())
    await other.open('/services/of-file', 'Node of the file')
    await other.page.getByRole('table', { name: 'Votes of the verifiers' }).getByText('built-in').waitFor()
    expect(await other.page.getByRole('button', { name: /Edit|Actions/ }).count()).toBe(0)
    expect(other.complaints).toEqual([])
    await other.context.close()
  })

  const openings: [title: string, path: string, open: (on: Page) => Promise<void>][] = [
    [
      'registering',
      '/services',
      async (on) => {
        await on.getByRole('button', { name: 'Register service' }).click()
        await on.getByText('Advanced').click()
        await on.getByRole('button', { name: 'Add header' }).click()
        await on.getByRole('dialog').getByRole('button', { name: 'Register' }).click()
        await on.getByText('Required.').first().waitFor()
      },
    ],
    [
      'muting',
      '/services/of-file',
      async (on) => {
        await on.getByRole('button', { name: 'Actions of “Node of the file”' }).click()
        await on.getByRole('menuitem', { name: 'Mute' }).click()
        await on.getByText('Until …').click()
        await on.getByRole('dialog').getByLabel('Until', { exact: true }).waitFor()
      },
    ],
  ]

  describe.each(openings)('%s', (_title, path, open) => {
    test.each([...looks])('$name', async (look: Look) => {
      const other = await subject.visit(subject.operator, look)
      await other.open(path, /Services|Node of the file/)
      await open(other.page)
      expect(await violationsOn(other.page, '[role=dialog]')).toEqual([])
      expect(await excessWidth(other.page)).toBe(0)
      expect(other.complaints).toEqual([])
      await other.context.close()
    })
  })
})
