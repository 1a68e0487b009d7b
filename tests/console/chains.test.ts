import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import {
  type ConsoleUnderTest,
  looks,
  nothingWrong,
  startConsole,
  wrongsOn,
} from '../../scripts/world/console-under-test.ts'
import { needs } from '../support/needs.ts'
import { button, choose, inDialog, rowOf } from '../support/page.ts'

const isReady = needs('chromium-headless-shell')

describe.skipIf(!isReady)('the page of chains', () => {
  let subject: ConsoleUnderTest

  beforeAll(async () => {
    subject = await startConsole({
      verifiers: { builtIn: false },
      chains: { 'of-file': { family: 'evm', name: 'Chain of the file' } },
    })
    await subject.server.operator.chains.create.mutate({
      key: 'rollup',
      name: 'First rollup',
      family: 'evm',
      chainId: 424_242,
    })
  }, 90_000)

  afterAll(async () => {
    await subject?.stop()
  })

  async function visit(look?: (typeof looks)[number]) {
    const visitor = await subject.visit(subject.operator, look)
    await visitor.open('/chains', 'Chains')
    await rowOf(visitor.page, 'First rollup').waitFor()
    return visitor
  }

  test('one is added, registered with, kept while it is used, edited and deleted', async () => {
    const { page, context, complaints } = await visit()
    expect(await rowOf(page, 'Chain of the file').innerText()).toContain('The file')
    await button(page, 'Add chain').press('Enter')
    await inDialog(page, 'Add chain').click()
    expect(await page.getByRole('dialog').getByText('Required.', { exact: true }).count()).toBe(2)
    await page.getByLabel('Name (required)').fill('My testnet')
    await page.getByLabel('Key (required)').fill('My Testnet')
    await page.getByLabel('Chain ID').fill('one')
    await inDialog(page, 'Add chain').click()
    await page.getByText(/lowercase chain key/).waitFor()
    await page.getByLabel('Key (required)').fill('my-testnet')
    await page.getByLabel('Chain ID').fill('31337')
    expect(await page.getByLabel('Time between blocks').getAttribute('placeholder')).toBe('12000')
    await page.getByLabel('Time between blocks').fill('1000')
    await inDialog(page, 'Add chain').click()
    await page.getByText('“My testnet” is added, and that holds now.').first().waitFor()
    expect(await rowOf(page, 'My testnet').innerText()).toMatch(/31337\s+1 s\s+0\s+0\s+Added here/)

    await page.getByRole('main').getByRole('link', { name: 'Services', exact: true }).click()
    await button(page, 'Register service').click()
    await page.getByRole('dialog').getByLabel('Chain (required)').selectOption({ label: 'My testnet' })
    await page.getByLabel('Name (required)').fill('Node A')
    await page.getByLabel('Provider (required)').fill('acme')
    await page.getByLabel('Endpoint (required)').fill('http://127.0.0.1:9')
    await inDialog(page, 'Register').click()
    await page.getByRole('heading', { name: 'Node A' }).waitFor()

    await page.goto('/chains')
    await choose(page, 'My testnet', 'Delete')
    await page.getByLabel('Type “my-testnet” to confirm').fill('my-testnet')
    await button(page, 'Delete chain').click()
    await page.getByText('it has 1 services and 0 endpoints', { exact: false }).waitFor()
    await button(page, 'Cancel').click()
    await choose(page, 'My testnet', 'Edit')
    expect(await page.getByLabel('Chain ID').inputValue()).toBe('31337')
    await page.getByLabel('Name (required)').fill('Our testnet')
    await button(page, 'Save').click()
    await page.getByText('“Our testnet” is saved, and that holds now.').first().waitFor()

    const [node] = await subject.server.operator.services.list.query()
    expect(node?.chain).toEqual({ key: 'my-testnet', name: 'Our testnet' })
    await subject.server.operator.services.remove.mutate({ id: node?.id ?? '' })
    await choose(page, 'Our testnet', 'Delete')
    await page.getByLabel('Type “my-testnet” to confirm').fill('my-testnet')
    await button(page, 'Delete chain').click()
    await page.getByText('“Our testnet” is deleted, and that holds now.').first().waitFor()
    await rowOf(page, 'Our testnet').waitFor({ state: 'detached' })
    expect(complaints.filter((text) => !text.includes('409'))).toEqual([]) // the refused deletion
    await context.close()
  }, 90_000)

  test('one is not saved before it is known what its family has', async () => {
    const { page, context } = await visit()
    const held = Promise.withResolvers<void>()
    await page.route(/chains\.families/, async (route) => {
      await held.promise
      await route.continue()
    })
    await choose(page, 'First rollup', 'Edit')
    await page.getByLabel('Name (required)').fill('Second rollup')
    await button(page, 'Save').press('Enter')
    expect(await button(page, 'Save').getAttribute('aria-busy')).toBe('true')
    held.resolve()
    await page.locator('button:not([aria-busy])', { hasText: 'Save' }).press('Enter')
    await page.getByText('“Second rollup” is saved, and that holds now.').first().waitFor()
    const chains = await subject.server.operator.chains.list.query()
    expect(chains.find(({ key }) => key === 'rollup')).toMatchObject({ custom: { chainId: 424_242 } })
    await subject.server.operator.chains.update.mutate({
      key: 'rollup',
      name: 'First rollup',
      family: 'evm',
      chainId: 424_242,
    })
    await context.close()
  }, 60_000)

  test.each(looks)(
    'looks right: $name',
    async (look) => {
      const { page, context, complaints } = await visit(look)
      await page.getByLabel('Find chains').fill('rollup')
      await rowOf(page, 'Ethereum').first().waitFor({ state: 'detached' })
      expect(await wrongsOn(page, complaints)).toEqual(nothingWrong)
      const label = rowOf(page, 'First rollup').getByText('Chain ID', { exact: true })
      expect(await label.isVisible()).toBe(look.width < 768) // there is no head above it
      await choose(page, 'First rollup', 'Edit')
      await page.getByLabel('Hash of the first block').waitFor()
      expect(await wrongsOn(page, complaints, '[role=dialog]')).toEqual(nothingWrong)
      await context.close()
    },
    60_000,
  )
})
