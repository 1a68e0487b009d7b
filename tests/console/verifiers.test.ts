import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { repeat } from '../../scripts/world/repeating.ts'
import type { Repeating } from '../../scripts/world/repeating.ts'
import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import {
  looks,
  nothingWrong,
  startConsole,
  violationsOn,
  wrongsOn,
} from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest } from '../../scripts/world/console-under-test.ts'
import { needs } from '../support/needs.ts'
import { dialog, rowOf } from '../support/page.ts'
import { typeConfirmation } from '../support/type-confirmation.ts'
import { quicklyJudged, startProbedEndpoints } from '../support/probed-endpoints.ts'
import { startVerifierWith } from '../../scripts/world/verifier-process.ts'
import { enrolWireVerifier } from '../../scripts/world/wire-verifier.ts'
import type { WireVerifier } from '../../scripts/world/wire-verifier.ts'
import { loseUntilTriedAgain } from '../support/lost-calls.ts'

const isReady = needs('chromium-headless-shell')
const endpoints = startProbedEndpoints()

/** Alone or together with others. */
const listCalls = /\/trpc\/[^?]*verifiers\.list/

describe.skipIf(!isReady)('verifiers', () => {
  let subject: ConsoleUnderTest

  const reporting: Repeating[] = []

  async function enrol(name: string, region: string): Promise<WireVerifier> {
    const { token } = await subject.server.operator.verifiers.createToken.mutate({ label: name })
    return enrolWireVerifier(subject.server.url, token, name, { region, version: '0.1.0' })
  }

  /** Until the end, so that they never count as silent. */
  async function keepReporting(verifier: WireVerifier, isolated: boolean): Promise<void> {
    const report = () => verifier.report({ isolated }).then(() => undefined)
    await report()
    reporting.push(repeat(report, 2_000))
  }

  beforeAll(async () => {
    const service = quicklyJudged('status-page', 'Status page', 'Acme', endpoints.good)
    subject = await startConsole({ services: [service] })
    await keepReporting(await enrol('singapore-2', 'ap-southeast'), true)
    await keepReporting(await enrol('sydney-3', 'ap-south'), false)
    await enrol('nairobi-4', 'af-east')
  })

  afterAll(async () => {
    await Promise.all(reporting.map((running) => running.stop()))
    await subject.stop()
    await endpoints.stop()
  })

  test('are enrolled through the page, and come in with the token of the command', async () => {
    const { page, open, complaints } = await subject.visit(subject.operator)
    await open('/verifiers', 'Verifiers')
    await page.getByRole('button', { name: 'Enrol a verifier' }).press('Enter')
    await page.getByLabel('Name', { exact: true }).fill('frankfurt-1')
    await page.getByLabel('Region').fill('eu-central')
    await page.keyboard.press('Enter')
    await page.getByText('Waiting for the verifier to come in').waitFor()
    const command = await page.getByRole('region', { name: 'command for this machine' }).textContent()
    const [, token = ''] = /--token (\S+)/.exec(command ?? '') ?? []
    expect(command).toContain(`--server ${subject.server.url}`)
    expect(command).toContain('--name frankfurt-1')
    expect(command).toContain('--region eu-central')

    const verifier = await startVerifierWith(subject.server, token, 'frankfurt-1', 'eu-central')
    try {
      await page.getByText('“frankfurt-1” reports').waitFor()
      await page.getByRole('button', { name: 'Done' }).click()
      await rowOf(page, 'frankfurt-1').getByText('Reporting').waitFor()
    } finally {
      await verifier.stop()
    }
    expect(complaints).toEqual([])
    await page.context().close()
  })

  describe.each([...looks])('$name', (look) => {
    test('the list, and everything that opens on it', async () => {
      const { page, open, complaints } = await subject.visit(subject.operator, look)
      const judge = async (part?: string) =>
        expect(await wrongsOn(page, complaints, part)).toEqual(nothingWrong)

      await open('/verifiers', 'Verifiers')
      await rowOf(page, 'sydney-3').getByText('Reporting').waitFor()
      await judge()

      await page.getByRole('button', { name: /families that sydney-3 can probe/ }).click()
      await page.getByText(/^Can probe evm/).waitFor()
      await judge()
      await page.keyboard.press('Escape')

      await page.getByRole('button', { name: 'Enrol a verifier' }).click()
      await page.getByRole('dialog', { name: 'Enrol a verifier' }).waitFor()
      await judge(dialog)
      await page.getByRole('button', { name: 'Create token' }).click()
      await page.getByText('This token is shown only now').waitFor()
      await judge(dialog)
      await page.getByRole('tab', { name: 'On another machine' }).click()
      await page.getByText('Other machines do not reach this address').waitFor()
      await judge(dialog)
      await page.getByRole('button', { name: 'Done' }).click()

      await page.getByRole('button', { name: 'Actions of “sydney-3”' }).click()
      await page.getByRole('menuitem', { name: 'Revoke' }).waitFor()
      await judge()
      await page.getByRole('menuitem', { name: 'Revoke' }).click()
      await page.getByRole('dialog', { name: 'Revoke “sydney-3”?' }).waitFor()
      await judge(dialog)
      await page.context().close()
    })
  })

  test('say in words how they stand and what to do', async () => {
    const { page, open } = await subject.visit(subject.operator)
    await open('/verifiers', 'Verifiers')
    await rowOf(page, 'singapore-2').getByText('See to the network where it stands.').waitFor()
    await rowOf(page, 'nairobi-4').getByText('Not reported yet').waitFor()
    const builtIn = rowOf(page, 'Inside this server')
    await builtIn.getByText('Reporting').waitFor()
    expect(await builtIn.getByRole('button', { name: /Actions/ }).count()).toBe(0)
    await page.getByText(/^\d of 4 verifiers report/).waitFor()
    expect(await page.getByText(/^Run three verifiers/).count()).toBe(0)
    await page.getByText(/^Updated/).waitFor()
    await page.context().close()
  })

  test('are revoked only by whoever types the end of the id, and are told so at once', async () => {
    const leaving = await enrol('lima-5', 'sa-west')
    await leaving.report()
    const { page, open } = await subject.visit(subject.operator)
    await open('/verifiers', 'Verifiers')
    await page.getByRole('button', { name: 'Actions of “lima-5”' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Revoke' }).press('Enter')
    const confirmation = page.getByRole('dialog', { name: 'Revoke “lima-5”?' })
    await confirmation.getByText(/must report for a decision/).waitFor()
    const button = confirmation.getByRole('button', { name: 'Revoke verifier' })
    expect(await button.isDisabled()).toBe(true)
    await typeConfirmation(page)
    await page.keyboard.press('Enter')
    await page.getByText('“lima-5” was revoked.', { exact: true }).waitFor()
    await rowOf(page, 'lima-5').waitFor({ state: 'detached' })
    expect((await leaving.report()).status).toBe(401)
    await page.context().close()
  })

  test('that wait to come in are listed by their tokens, which can be cancelled', async () => {
    const { token } = await subject.server.operator.verifiers.createToken.mutate({ label: 'oslo-6' })
    const { page, open, complaints } = await subject.visit(subject.operator)
    await open('/verifiers', 'Verifiers')
    await page.getByText('Tokens that wait for their verifier').waitFor()
    await page.getByRole('button', { name: 'Cancel the token “oslo-6”' }).click()
    await page.getByText('The token “oslo-6” was revoked.', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Cancel the token “oslo-6”' }).waitFor({ state: 'detached' })
    await expect(enrolWireVerifier(subject.server.url, token, 'oslo-6')).rejects.toThrow('401')
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('are filtered by how they stand, in the address', async () => {
    const { page, open } = await subject.visit(subject.operator)
    await open('/verifiers?state=isolated', 'Verifiers')
    await rowOf(page, 'singapore-2').waitFor()
    expect(await rowOf(page, 'sydney-3').count()).toBe(0)
    await page.getByLabel('State').selectOption({ label: 'Ejected' })
    await page.getByText('Nothing matches').waitFor()
    expect(new URL(page.url()).search).toBe('?state=ejected')
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await rowOf(page, 'sydney-3').waitFor()
    await page.context().close()
  })

  test('a list that cannot be read says so, and comes back', async () => {
    const { page, open } = await subject.visit(subject.operator)
    await loseUntilTriedAgain(page, listCalls)
    await open('/verifiers', 'Verifiers')
    await page.getByText('This could not be loaded').waitFor()
    expect(await violationsOn(page)).toEqual([])
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await rowOf(page, 'sydney-3').waitFor()
    await page.context().close()
  })

  test('are no business of an account that is no operator', async () => {
    const { page } = await subject.visit(createTestWallet())
    await page.goto('/verifiers')
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.context().close()
  })
})
