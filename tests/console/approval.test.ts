import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import { looks, nothingWrong, startConsole, wrongsOn } from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest } from '../../scripts/world/console-under-test.ts'
import { commandLineOf } from '../support/command-line.ts'
import { needs } from '../support/needs.ts'

const isReady = needs('chromium-headless-shell')

describe.skipIf(!isReady)('an account that waits for approval', () => {
  let subject: ConsoleUnderTest

  beforeAll(async () => {
    subject = await startConsole('', { GATEHOUSE_SIGN_UP: 'approval' })
  })
  afterAll(() => subject?.stop())

  test.each([...looks])(
    '$name: sees that it waits, and goes on when an operator has approved it',
    async (look) => {
      const wallet = createTestWallet()
      const newcomer = await subject.visit(wallet, look)
      await newcomer.open('/api-keys', 'Your account waits for approval')
      await newcomer.page.getByText(wallet.address.toLowerCase()).waitFor()
      expect(await wrongsOn(newcomer.page, newcomer.complaints)).toEqual(nothingWrong)

      const boss = await subject.visit(subject.operator, look)
      await boss.open('/', 'Overview')
      const first = boss.page.getByRole('listitem').filter({ hasText: '1 account waits for your approval' })
      await first.getByRole('button', { name: /^Approve / }).waitFor()
      expect(await wrongsOn(boss.page, boss.complaints)).toEqual(nothingWrong)
      await first.getByRole('link').click()
      await boss.page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
      await boss.page.getByText(wallet.address.toLowerCase()).waitFor()
      expect(await wrongsOn(boss.page, boss.complaints)).toEqual(nothingWrong)
      await boss.page.getByRole('button', { name: /^Approve / }).click()
      await boss.page
        .getByText(/ is approved\.$/)
        .first()
        .waitFor()
      await boss.page.getByText('Accounts that wait for approval').first().waitFor({ state: 'detached' })

      await newcomer.page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor()
      await newcomer.context.close()
      await boss.context.close()
    },
  )

  test('one click in the overview lets in who waits', async () => {
    const newcomer = await subject.visit(createTestWallet())
    await newcomer.open('/', 'Your account waits for approval')
    const boss = await subject.visit(subject.operator)
    await boss.open('/', 'Overview')
    await boss.page.getByRole('button', { name: /^Approve / }).click()
    await boss.page
      .getByText(/ is approved\.$/)
      .first()
      .waitFor()
    await newcomer.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await newcomer.context.close()
    await boss.context.close()
  })

  test('an invitation that is opened meanwhile lets in at once, and once', async () => {
    const { stdout } = await commandLineOf(subject.installation.dataDir).run(['accounts', 'invite', '--json'])
    const { link } = JSON.parse(stdout) as { link: string }
    const path = link.slice(link.indexOf('/sign-in'))
    const newcomer = await subject.visit(createTestWallet())
    await newcomer.open('/', 'Your account waits for approval')
    await newcomer.open(path, 'Overview')
    expect(newcomer.page.url()).not.toContain('giv_')

    const other = await subject.visit(null)
    await other.open(path, 'Sign in to Gatehouse')
    await other.page.getByText('This invitation was used already').waitFor()
    expect(
      await wrongsOn(
        other.page,
        other.complaints.filter((text) => !text.includes('410')),
      ),
    ).toEqual(nothingWrong)
    await newcomer.context.close()
    await other.context.close()
  })

  test('asks for nothing of the page that it does not see yet', async () => {
    const newcomer = await subject.visit(createTestWallet())
    await newcomer.open('/services', 'Your account waits for approval')
    await newcomer.page.waitForLoadState('networkidle')
    expect(newcomer.complaints).toEqual([])
    await newcomer.context.close()
  })
})
