import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'

import type { Browser } from 'playwright-core'

import { type Anvil, startAnvil } from '../../scripts/world/anvil.ts'
import { launchChromium } from '../../scripts/world/chromium.ts'
import { complaintsOf, nothingWrong, wrongsOn } from '../../scripts/world/console-under-test.ts'
import {
  type GatehouseProcess,
  type TestInstallation,
  createTestInstallation,
} from '../../scripts/world/gatehouse-process.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { needs } from '../support/needs.ts'
import { button, inDialog } from '../support/page.ts'

/**
 * Somebody with a node of their own, who has read nothing: from what the server prints to a call that is counted. The same walk
 * is made with an unpacked release and no network (`tests/acceptance/release.test.ts`), which is the folder of that variable.
 */
const release = process.env['NEWCOMER_RELEASE']
/** Without the runtime and the packages of this tree. */
const ofRelease = (folder: string): string[] => [
  'env',
  '--chdir=/',
  'PATH=/usr/bin:/bin',
  join(folder, 'gatehouse'),
  'start',
]

const isReady = [needs('chromium-headless-shell'), needs('curl')].every(Boolean)
const mostSteps = 8
const printedLink = /http:\S+#setup=\S+(?=\s)/

/** Runs what somebody would paste into their terminal. */
async function paste(command: string): Promise<string> {
  const child = Bun.spawn(['sh', '-c', command], { stdout: 'pipe', stderr: 'ignore' })
  return new Response(child.stdout).text()
}

describe.skipIf(!isReady)('a newcomer', () => {
  let node: Anvil
  let installation: TestInstallation
  let server: GatehouseProcess
  let browser: Browser

  beforeAll(async () => {
    node = await startAnvil({ chainId: 1, timestamp: Math.floor(Date.now() / 1000), blocks: 'on-demand' })
    installation = await createTestInstallation('', {
      isFirstStart: true,
      ...(release !== undefined && { command: ofRelease(release) }),
    })
    server = await installation.start({}, 60_000)
    browser = await launchChromium()
  }, 90_000)

  afterAll(async () => {
    await browser?.close()
    await server?.stop()
    await installation?.remove()
    await node?.stop()
  })

  async function setupLink(): Promise<string> {
    await waitUntil('the server prints where to begin', () => printedLink.test(server.output()))
    return printedLink.exec(server.output())?.[0] ?? ''
  }

  test('comes to the first counted call by what the screens say, without a restart or a file', async () => {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
    })
    const page = await context.newPage()
    const complaints = complaintsOf(page, [server.url])
    const steps: string[] = []
    /** One thing that a person does: a link opened, a button pressed when its form is filled in, a command run. */
    const step = async <Done>(what: string, done: Promise<Done>): Promise<Done> => {
      steps.push(what)
      return await done
    }

    await step('open the printed link', page.goto(await setupLink()))
    await step('take a throwaway wallet', button(page, 'Try with a throwaway wallet').click())
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    const firstSteps = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'First steps' }) })
    expect(await page.getByText('has no operator yet').count()).toBe(0)
    await step('follow the first step', firstSteps.getByRole('link').first().click())

    await page.getByLabel('Name (required)').fill('mainnet')
    await page.getByLabel('Chain').selectOption({ label: 'Ethereum' })
    await page.getByLabel('Address (required)').fill(node.url)
    await step('create the endpoint', inDialog(page, 'Create endpoint').click())
    await page.getByText('The upstream answers.').waitFor()
    expect(await wrongsOn(page, complaints)).toEqual(nothingWrong)

    await step('go on to a key', button(page, 'Create a query key for it').click())
    await page.getByLabel('Name (required)').fill('First program')
    await step('create the key', inDialog(page, 'Create key').click())
    await page.getByText('Waiting for the first call …').waitFor()
    expect(await wrongsOn(page, complaints)).toEqual(nothingWrong)

    const command = await page.getByRole('region', { name: 'command', exact: true }).innerText()
    const answer = await step('run the command that is shown', paste(command))
    expect(JSON.parse(answer)).toEqual({ jsonrpc: '2.0', id: 1, result: '0x1' })
    await page.getByText('1 call is counted.').waitFor()
    expect(steps.length).toBeLessThanOrEqual(mostSteps)

    await page.getByRole('link', { name: 'See it in the usage' }).click()
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor()
    const row = page.getByRole('table', { name: /^Usage by/ }).getByRole('row')
    await row.filter({ hasText: 'First program' }).waitFor()
    expect(complaints).toEqual([])
  }, 120_000)
})
