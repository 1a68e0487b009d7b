import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import { looks, nothingWrong, startConsole, wrongsOn } from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest } from '../../scripts/world/console-under-test.ts'
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
      await boss.page.getByRole('link', { name: '1 account waits for your approval' }).click()
      await boss.page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
      await boss.page.getByText(wallet.address.toLowerCase()).waitFor()
      expect(await wrongsOn(boss.page, boss.complaints)).toEqual(nothingWrong)
      await boss.page.getByRole('button', { name: /^Approve / }).click()
      await boss.page
        .getByText(/ is approved\.$/)
        .first()
        .waitFor()
      await boss.page.getByText('Accounts that wait for approval').first().waitFor({ state: 'detached' })

      await newcomer.page.getByRole('button', { name: 'Check again' }).click()
      await newcomer.page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor()
      await newcomer.context.close()
      await boss.context.close()
    },
  )
})
