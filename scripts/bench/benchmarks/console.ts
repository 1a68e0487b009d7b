import { readdirSync, readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

import { startConsole } from '../../../tests/support/console-under-test.ts'
import type { ConsoleUnderTest, Visitor } from '../../../tests/support/console-under-test.ts'
import { atMost } from '../benchmark.ts'
import type { Bar, Benchmark, Row } from '../benchmark.ts'
import { watchPainting } from '../browser/paint-watch.ts'
import { spreadOf } from '../statistics.ts'

const keyCount = 200
const cpuSlowdown = 4
/** Narrows the list down in steps, and widens it again. */
const typed = ['b', 'u', 'i', 'l', 'd', ' ', '7', ...Array.from({ length: 7 }, () => 'Backspace')]
const assets = 'console/dist/assets'

export const consolePages: Benchmark = {
  name: 'console',
  about: `the console in a browser: weight of its script, and a list of ${keyCount} API keys on a slow processor`,

  async run({ rounds }) {
    const subject = await startConsole()
    try {
      await makeKeys(subject)
      const weight = await scriptWeight(subject)
      const slow: Slow[] = []
      for (let round = 0; round < rounds; round++) slow.push(await visitSlowly(subject))
      return {
        title: 'Console',
        rows: [
          row('script of the API-keys page, gzipped', 'kB', [weight], atMost(130)),
          row('script of all pages, gzipped', 'kB', [allScriptWeight()], atMost(200)),
          row(
            `${keyCount} keys, rows visible`,
            'ms',
            slow.map(({ rowsVisibleMs }) => rowsVisibleMs),
            atMost(1_500),
          ),
          row(
            `${keyCount} keys, filter keystroke to paint`,
            'ms',
            slow.flatMap(({ keystrokesMs }) => keystrokesMs),
            atMost(50),
          ),
        ],
        notes: [
          `Chromium without a window, its processor slowed down ${cpuSlowdown} times; every round is a new browser profile with nothing cached.`,
          'Rows visible counts from the start of the navigation, signed in, until the frame with the first keys has been painted. A keystroke counts from the key to the end of the frame that shows its effect.',
          'Script is what the browser loads on the page, dialogs that nobody opened not among it; kB are 1,000 bytes.',
        ],
      }
    } finally {
      await subject.stop()
    }
  },
}

const row = (measure: string, unit: string, values: readonly number[], bar: Bar): Row => ({
  measure,
  unit,
  value: spreadOf(values),
  bar,
})

async function makeKeys({ visit, operator, server }: ConsoleUnderTest): Promise<void> {
  const { context } = await visit(operator) // the first sign-in makes the account
  await context.close()
  for (let place = 0; place < keyCount; place++) {
    await server.operator.operatorApiKeys.create.mutate({
      account: operator.address,
      name: `${['Build server', 'Dashboard', 'Partner portal', 'Wallet'][place % 4] ?? ''} ${place}`,
      permissions: place % 3 === 0 ? ['statistics_read', 'token_create'] : ['token_create'],
      allowedIps: place % 2 === 0 ? [`198.51.100.${place}`] : [],
      allowedDomains: place % 5 === 0 ? ['*.example.com', 'example.com'] : [],
      expiresAt: place % 4 === 0 ? Date.now() + (place + 1) * 86_400_000 : null,
    })
  }
}

const inKb = (bytes: number): number => bytes / 1_000
const zippedBytes = (content: Uint8Array<ArrayBuffer>): number => Bun.gzipSync(content, { level: 9 }).length

async function scriptWeight({ visit, operator }: ConsoleUnderTest): Promise<number> {
  const visitor = await visit(operator)
  const bodies: Promise<Buffer>[] = []
  visitor.page.on('response', (response) => {
    if (response.request().resourceType() === 'script') bodies.push(response.body())
  })
  await openKeys(visitor)
  await visitor.page.waitForLoadState('networkidle')
  const weights = (await Promise.all(bodies)).map((body) => zippedBytes(new Uint8Array(body)))
  await visitor.context.close()
  return inKb(weights.reduce((sum, bytes) => sum + bytes, 0))
}

function allScriptWeight(): number {
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'))
  return inKb(
    scripts.reduce((sum, name) => sum + zippedBytes(new Uint8Array(readFileSync(`${assets}/${name}`))), 0),
  )
}

interface Slow {
  readonly rowsVisibleMs: number
  readonly keystrokesMs: readonly number[]
}

async function visitSlowly({ visit, operator }: ConsoleUnderTest): Promise<Slow> {
  const visitor = await visit(operator)
  const { page, context } = visitor
  const devTools = await context.newCDPSession(page)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  const nextPainted = await watchPainting(page)
  await openKeys(visitor)
  const rowsVisibleMs = await nextPainted()
  const keystrokesMs = await typeIntoFilter(page, nextPainted)
  await context.close()
  return { rowsVisibleMs, keystrokesMs }
}

async function typeIntoFilter(page: Page, nextPainted: () => Promise<number>): Promise<readonly number[]> {
  await page.waitForLoadState('networkidle')
  await page.getByLabel('Search keys').focus()
  const measured: number[] = []
  for (const key of typed) {
    await page.keyboard.press(key === ' ' ? 'Space' : key)
    measured.push(await nextPainted())
  }
  return measured
}

const openKeys = ({ open }: Visitor): Promise<void> => open('/api-keys', 'API keys')
