import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'

import { looks, nothingWrong, startConsole, wrongsOn } from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest } from '../../scripts/world/console-under-test.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import { loseUntilTriedAgain } from '../support/lost-calls.ts'
import { needs } from '../support/needs.ts'
import { button, dialog, toast } from '../support/page.ts'

const isReady = needs('chromium-headless-shell')

const rowOf = (page: Page, name: string) =>
  page.getByRole('table', { name: 'Plans' }).getByRole('row').filter({ hasText: name })

async function choose(page: Page, name: string, action: string): Promise<void> {
  await button(page, `Actions of “${name}”`).press('Enter')
  await page.getByRole('menuitem', { name: action }).press('Enter')
}

async function remove(page: Page, name: string): Promise<void> {
  await choose(page, name, 'Delete')
  await page.getByLabel(`Type “${name}” to confirm`).fill(name)
  await page.keyboard.press('Enter')
}

/** Each mistake is told at its field. */
async function fillWrongly(page: Page): Promise<void> {
  await page.getByLabel('Name (required)').fill('Pro plan')
  await page.getByLabel('Most query keys').fill('many')
  await page.getByLabel('Keys end after').fill('0')
  await button(page, 'Create plan').press('Enter')
  await page.getByText('Expected a name of lower-case letters, digits and hyphens').waitFor()
  await page.getByText('A whole number from 0 to 10000.').waitFor()
  await page.getByText('A whole number from 1 to 3650.').waitFor()
}

const pro = { name: 'pro', maxKeys: 2, keyMost: { rate: '1000/hour' }, methods: ['eth_*'], keyDays: 90 }

async function fillAsPro(page: Page): Promise<void> {
  await page.getByLabel('Name (required)').fill('pro')
  await page.getByLabel('Most query keys').fill('2')
  await page.getByLabel('Keys end after').fill('90')
  await page.getByLabel('Methods').fill('eth_*')
  await page.keyboard.press('Enter')
  const each = page.getByRole('group', { name: 'Most use of each key' })
  await each.getByRole('radio', { name: 'Set a limit' }).first().press('Space')
  await each.getByLabel('Calls: at most').fill('1,000')
  await each.getByLabel('Period').selectOption('hour')
}

async function givePlan(page: Page, address: string, plan: string): Promise<void> {
  await page.goto(`/accounts?search=${address}`)
  await page.getByText('1 to 1', { exact: false }).waitFor()
  await page.getByRole('table', { name: 'Accounts' }).getByRole('button').first().click()
  await page.getByLabel('Plan', { exact: true }).selectOption(plan)
  await toast(page, 'The plan is changed, and its keys are held to it from now on.').waitFor()
}

describe.skipIf(!isReady)('the page of plans', () => {
  let subject: ConsoleUnderTest

  beforeAll(async () => {
    subject = await startConsole({ services: [] })
  })
  afterAll(() => subject?.stop())

  async function addPlan(name: string): Promise<void> {
    const operator = await signInAt(subject.server.url, subject.operator)
    expect((await operator.mutate('plans.create', { name })).status).toBe(200)
  }

  test.each([...looks])(
    '$name: says what plans are for, and has a form that asks before it closes',
    async (look) => {
      const { page, open, context, complaints } = await subject.visit(subject.operator, look)
      await open('/accounts/plans', 'Plans')
      await page.getByText('No plan yet').waitFor()
      expect(await wrongsOn(page, complaints)).toEqual(nothingWrong)
      await button(page, 'Create the first plan').click()
      const form = page.getByRole('dialog', { name: 'New plan' })
      for (const place of [0, 1, 2, 3]) await form.getByText('Set a limit').nth(place).click()
      await form.getByRole('button', { name: 'Create plan' }).click()
      await form.getByText('Give it a name.').waitFor()
      expect(await form.getByText('A whole number from 1 to a trillion.').count()).toBe(4)
      expect(await wrongsOn(page, complaints, dialog)).toEqual(nothingWrong)
      await page.keyboard.press('Escape')
      await page.getByText('Close without saving what you filled in?').waitFor()
      await button(page, 'Close without saving').click()
      await form.waitFor({ state: 'hidden' })
      await context.close()
    },
  )

  test('a plan is made, given to an account, edited, and deleted once no account has it, by keyboard', async () => {
    const owner = await signInAt(subject.server.url)
    const { page, open, context, complaints } = await subject.visit(subject.operator)
    await open('/accounts', 'Accounts')
    await page.getByRole('link', { name: 'Plans', exact: true }).press('Enter')
    await button(page, 'Create the first plan').press('Enter')
    await fillWrongly(page)
    await page.goBack()
    await page.getByText('Close without saving what you filled in?').waitFor()
    expect(new URL(page.url()).pathname).toBe('/accounts/plans')
    await button(page, 'Go on editing').press('Enter')
    await fillAsPro(page)
    await button(page, 'Create plan').press('Enter')
    await toast(page, '“pro” is created. Give it to an account on the page of accounts.').waitFor()
    const made = await rowOf(page, 'pro').innerText()
    for (const text of ['1,000 calls an hour', 'eth_*', '90 days', 'no limit', 'all'])
      expect(made).toContain(text)
    expect(await wrongsOn(page, complaints)).toEqual(nothingWrong)

    await givePlan(page, owner.wallet.address, 'pro')
    expect(await owner.query('plans.own')).toMatchObject({ data: { plan: pro } })
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Go to or do' }).waitFor()
    await page.keyboard.type('quotas')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Plans' }).waitFor()
    await choose(page, 'pro', 'Edit')
    await page.getByText('1 account has it. Its keys are held to these limits', { exact: false }).waitFor()
    expect(await wrongsOn(page, complaints, dialog)).toEqual(nothingWrong)
    await page.getByLabel('Most query keys').fill('4')
    await button(page, 'Save').press('Enter')
    await toast(page, '“pro” is saved and holds from now on.').waitFor()
    await rowOf(page, 'pro').getByRole('cell', { name: '4', exact: true }).waitFor()
    const edited = { ...pro, maxKeys: 4 }
    expect(await owner.query('plans.own')).toMatchObject({ data: { plan: edited } })

    await remove(page, 'pro')
    await page.getByText('The plan pro is that of accounts (1): give them another one first').waitFor()
    const others = complaints.filter((text) => !text.includes('409'))
    expect(await wrongsOn(page, others, dialog)).toEqual(nothingWrong)
    await addPlan('basic')
    await givePlan(page, owner.wallet.address, 'basic')
    await open('/accounts/plans', 'Plans')
    await remove(page, 'pro')
    await toast(page, '“pro” is deleted.').waitFor()
    await rowOf(page, 'pro').waitFor({ state: 'detached' })
    await rowOf(page, 'basic').waitFor()
    await context.close()
  }, 60_000)

  test('two windows edit one plan: the list follows, and whoever saves last is told before', async () => {
    await addPlan('shared')
    const { page, open, context, complaints } = await subject.visit(subject.operator)
    await open('/accounts/plans', 'Plans')
    await choose(page, 'shared', 'Edit')
    await page.getByLabel('Most query keys').fill('4')
    const other = await context.newPage()
    await other.goto('/accounts/plans')
    await choose(other, 'shared', 'Edit')
    await other.getByLabel('Most query keys').fill('3')
    await button(other, 'Save').press('Enter')
    await page.getByText('This was changed elsewhere meanwhile').waitFor()
    expect(await page.getByLabel('Most query keys').inputValue()).toBe('4')
    await rowOf(other, 'shared').getByRole('cell', { name: '3', exact: true }).waitFor()
    await button(page, 'Save').press('Enter')
    await rowOf(other, 'shared').getByRole('cell', { name: '4', exact: true }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('a plan of the file says where it is changed, and a list that fails can be asked for again', async () => {
    subject.installation.writeFile({
      services: [],
      plans: [
        { name: 'of-file', totalMost: { rate: '10/second', credits: '1000000/day' }, endpoints: ['dev-*'] },
      ],
      signUp: { plan: 'of-file' },
    })
    await subject.restart()
    const { page, open, context } = await subject.visit(subject.operator)
    await loseUntilTriedAgain(page, /plans\.list/)
    await open('/accounts/plans', 'Plans')
    await page.getByText('This could not be loaded').waitFor()
    await button(page, 'Try again').click()
    const told = await rowOf(page, 'of-file').innerText()
    for (const text of [
      'New accounts get it',
      'Managed by the file',
      '10 calls a second',
      '1,000,000 credits a day',
    ])
      expect(told).toContain(text)
    await choose(page, 'of-file', 'Delete')
    await page.getByText('Change its entry under plans: there', { exact: false }).waitFor()
    // Of the lost calls the browser complains, and of what else it had asked for with them.
    expect(await wrongsOn(page, [], dialog)).toEqual(nothingWrong)
    await button(page, 'Understood').press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await context.close()
  })
})
