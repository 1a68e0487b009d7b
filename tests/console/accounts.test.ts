import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import { looks, nothingWrong, startConsole, wrongsOn } from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest } from '../../scripts/world/console-under-test.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import { needs } from '../support/needs.ts'

const isReady = needs('chromium-headless-shell')

/** Makes the account that is open an operator's, after changing one's mind once, and no operator's any more. */
async function promoteAndDemote(
  boss: Awaited<ReturnType<ConsoleUnderTest['visit']>>,
  statusForOperators: () => Promise<number>,
): Promise<void> {
  await boss.page.getByRole('button', { name: 'Make operator' }).click()
  const promotion = boss.page.getByRole('dialog', { name: 'Make this account an operator?' })
  expect(await wrongsOn(boss.page, boss.complaints)).toEqual(nothingWrong)
  await promotion.getByRole('button', { name: 'Cancel' }).click()
  expect(await statusForOperators()).toBe(403)
  await boss.page.getByRole('button', { name: 'Make operator' }).click()
  await promotion.getByRole('button', { name: 'Make operator' }).click()
  await boss.page.getByText('The account is an operator now.').first().waitFor()
  await promotion.waitFor({ state: 'detached' })
  expect(await statusForOperators()).toBe(200)
  await boss.page.getByRole('button', { name: 'No longer an operator' }).click()
  await boss.page.getByText('The account is no operator any more.').first().waitFor()
}

describe.skipIf(!isReady)('the page of accounts', () => {
  let subject: ConsoleUnderTest

  beforeAll(async () => {
    subject = await startConsole({ services: [] })
    for (let count = 0; count < 3; count++) await signInAt(subject.server.url)
    const somebody = await signInAt(subject.server.url)
    await somebody.mutate('apiKeys.create', { name: 'of somebody' })
  })
  afterAll(() => subject?.stop())

  test.each([...looks])('$name: shows who there is, and one of them', async (look) => {
    const boss = await subject.visit(subject.operator, look)
    await boss.open('/accounts', 'Accounts')
    await boss.page.getByText(/accounts, 0 waiting, 0 disabled/).waitFor()
    expect(await wrongsOn(boss.page, boss.complaints)).toEqual(nothingWrong)
    const calls = boss.page
      .getByRole('table', { name: 'Accounts' })
      .getByText('calls', { exact: true })
      .first()
    expect(await calls.isVisible()).toBe(look.width < 768) // there is no head above the number
    await boss.page.getByRole('table', { name: 'Accounts' }).getByRole('button').first().click()
    await boss.page.getByRole('tab', { name: 'Summary' }).waitFor()
    for (const tab of ['Keys', 'Use', 'Sessions', 'Audit']) {
      await boss.page.getByRole('tab', { name: tab }).click()
      expect([tab, await wrongsOn(boss.page, boss.complaints)]).toEqual([tab, nothingWrong])
    }
    await boss.open('/accounts/keys?kind=api', 'Keys of all accounts')
    await boss.page.getByRole('table', { name: 'Keys of all accounts' }).getByText('of somebody').waitFor()
    await boss.page.getByRole('button', { name: 'Account: All accounts' }).click()
    await boss.page.getByRole('dialog', { name: 'Choose an account' }).getByText('Wallet').first().waitFor()
    expect(await wrongsOn(boss.page, boss.complaints)).toEqual(nothingWrong)
    await boss.context.close()
  })

  test('an account is found, disabled in words that say what happens, and enabled again', async () => {
    const owner = await signInAt(subject.server.url, createTestWallet())
    const boss = await subject.visit(subject.operator)
    await boss.open('/accounts', 'Accounts')
    await boss.page.getByRole('textbox', { name: 'Find accounts' }).fill(owner.wallet.address)
    const found = boss.page.getByRole('table', { name: 'Accounts' }).getByRole('button')
    await waitUntil('only that account is listed', async () => (await found.count()) === 1)
    await boss.open('/accounts/keys?kind=api', 'Keys of all accounts')
    await boss.page.getByRole('table').getByText('of somebody').waitFor()
    await boss.page.getByRole('button', { name: 'Account: All accounts' }).click()
    await boss.page.getByRole('textbox', { name: 'Find an account' }).fill(owner.wallet.address)
    await waitUntil(
      'only that account is offered',
      async () =>
        (await boss.page
          .getByRole('dialog')
          .getByRole('list', { name: 'Accounts' })
          .getByRole('listitem')
          .count()) === 1,
    )
    await boss.page.keyboard.press('Enter')
    await boss.page.waitForURL(new RegExp(`account=${owner.accountId}`))
    await boss.page.getByText('of somebody').waitFor({ state: 'detached' })
    await boss.open(`/accounts?search=${owner.wallet.address}`, 'Accounts')
    await waitUntil('it is listed again', async () => (await found.count()) === 1)
    await found.click()
    await boss.page.getByRole('button', { name: 'Disable account' }).click()
    const dialog = boss.page.getByRole('dialog', { name: 'Disable this account?' })
    await dialog.getByText('Its 0 keys').waitFor()
    expect(await wrongsOn(boss.page, boss.complaints)).toEqual(nothingWrong)
    await dialog.getByRole('button', { name: 'Disable account' }).click()
    await boss.page.getByText('Every process refuses its keys').first().waitFor()
    expect((await owner.query('apiKeys.list')).status).toBe(401)
    await boss.page.getByRole('button', { name: 'Enable account' }).click()
    await boss.page.getByText('Its keys work again').first().waitFor()

    const again = await signInAt(subject.server.url, owner.wallet)
    await promoteAndDemote(boss, async () => (await again.query('alerts.firing')).status)

    await boss.page.getByRole('button', { name: 'Delete account' }).click()
    const deletion = boss.page.getByRole('dialog', { name: 'Delete this account?' })
    const saved = boss.page.waitForEvent('download')
    await deletion.getByRole('button', { name: 'Download what is stored' }).click()
    expect((await saved).suggestedFilename()).toBe(`gatehouse-${owner.accountId}.json`)
    expect(await wrongsOn(boss.page, boss.complaints)).toEqual(nothingWrong)
    await deletion.getByRole('textbox').fill(owner.accountId.slice(-6))
    await deletion.getByRole('button', { name: 'Delete account' }).click()
    await boss.page.getByText('The account is deleted').first().waitFor()
    await waitUntil('it is not listed any more', async () => (await found.count()) === 0)
    await boss.context.close()
  })

  test('an invitation is made, shown once, listed and cancelled', async () => {
    const boss = await subject.visit(subject.operator)
    await boss.open('/accounts', 'Accounts')
    await boss.page.getByRole('button', { name: 'Invite' }).click()
    const dialog = boss.page.getByRole('dialog', { name: 'Invite somebody' })
    await dialog.getByRole('textbox', { name: 'Only with this identity' }).fill('somebody')
    await dialog.getByRole('button', { name: 'Create link' }).click()
    await dialog
      .getByText('a wallet address, github:<user id>, google:<user id> or oidc:<issuer>#<subject>')
      .last()
      .waitFor()
    await dialog.getByRole('textbox', { name: 'Only with this identity' }).fill('')
    await dialog.getByRole('textbox', { name: 'For whom' }).fill('for Ada')
    await dialog.getByRole('button', { name: 'Create link' }).click()
    await dialog.getByText(/#invitation=giv_/).waitFor()
    expect(
      await wrongsOn(
        boss.page,
        boss.complaints.filter((text) => !text.includes('422')),
      ),
    ).toEqual(nothingWrong)
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
    await boss.page.getByRole('button', { name: 'Cancel the invitation for Ada' }).click()
    await boss.page.getByText('for Ada').waitFor({ state: 'detached' })
    await boss.context.close()
  })
})
