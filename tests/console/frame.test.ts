import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { startConsole, violationsOn } from '../support/console-under-test.ts'
import type { ConsoleUnderTest } from '../support/console-under-test.ts'
import { needs } from '../support/needs.ts'

const isReady = needs('chromium')

describe.skipIf(!isReady)('the frame', () => {
  let subject: ConsoleUnderTest

  beforeAll(async () => {
    subject = await startConsole()
  })

  afterAll(() => subject.stop())

  test('whoever is not signed in comes to the page to sign in', async () => {
    const { page, complaints } = await subject.visit(null)
    await page.goto('/services')
    await page.waitForURL('**/sign-in?returnTo=/services')
    expect(complaints).toEqual([])
  })

  test('shows the places of an operator', async () => {
    const { page, open, complaints } = await subject.visit(subject.operator)
    await open('/', 'Overview')
    await page.getByRole('link', { name: 'Audit log' }).waitFor()
    expect(await violationsOn(page)).toEqual([])
    expect(complaints).toEqual([])
  })
})
