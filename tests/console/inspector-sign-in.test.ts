import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'

import { toolNames } from '../../shared/gateway.ts'
import { temporaryDataDir } from '../../scripts/world/database.ts'
import { startConsole } from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest } from '../../scripts/world/console-under-test.ts'
import { findFreePort } from '../../scripts/world/free-port.ts'
import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import { inspect } from '../support/inspector.ts'
import { needs } from '../support/needs.ts'
import { button } from '../support/page.ts'

const isReady = needs('chromium-headless-shell')

/** The inspector of the protocol's authors, with an address and nothing else, and a person in front of a browser. */
describe.skipIf(!isReady)('the inspector is let in by OAuth', () => {
  const home = temporaryDataDir()
  let subject: ConsoleUnderTest
  let page: Page
  let callback: string

  beforeAll(async () => {
    subject = await startConsole()
    ;({ page } = await subject.visit(createTestWallet()))
    callback = `http://127.0.0.1:${await findFreePort()}/oauth/callback`
  }, 60_000)

  afterAll(() => subject?.stop())

  async function allow(link: string): Promise<void> {
    await page.goto(link)
    await page.getByRole('heading', { name: 'A program that calls itself “MCP Inspector”' }).waitFor()
    await button(page, 'Allow').click()
    await page.getByText('OAuth complete', { exact: false }).waitFor()
  }

  const ask = (method: string, ...more: readonly string[]) =>
    inspect(
      [
        `${subject.server.url}/mcp/account`,
        '--transport',
        'http',
        '--callback-url',
        callback,
        '--method',
        method,
        ...more,
      ],
      { home, signIn: allow },
    )

  test('it finds the page by itself, and has the tools once its user has allowed it', async () => {
    const { output, exitCode } = await ask('tools/list')
    expect(exitCode).toBe(0)
    const { tools } = JSON.parse(output) as { tools: { name: string }[] }
    expect(tools.map(({ name }) => name)).toEqual([...toolNames])
  }, 60_000)

  test('it comes back with the token that it has kept, and acts for its user', async () => {
    const called = await ask(
      'tools/call',
      '--stored-auth-only',
      '--tool-name',
      'execute',
      '--tool-arg',
      'operation=list_connections',
    )
    expect([called.exitCode, called.complaints]).toEqual([0, expect.not.stringContaining('navigate')])
    expect(JSON.parse(called.output)).toMatchObject({ structuredContent: { connections: [] } })
  }, 60_000)

  test('once its user has shut it out, it is told that it has to sign in', async () => {
    await page.goto('/gateway?tab=agents')
    await button(page, 'Revoke “MCP Inspector”').click()
    await button(page, 'Revoke').click()
    await page.getByText('No agent is let in').waitFor()
    const { exitCode, complaints } = await ask('tools/list', '--stored-auth-only')
    expect(exitCode).toBe(3)
    expect(complaints).toContain('"code":"auth_required"')
    expect((await ask('tools/list')).exitCode).toBe(0)
  }, 60_000)
})
