import { readdirSync, readFileSync } from 'node:fs'

import { consolePages } from '../../../shared/console-pages.ts'
import { startConsole } from '../../world/console-under-test.ts'
import type { ConsoleUnderTest } from '../../world/console-under-test.ts'
import { atMost, benchmarkRowOf } from '../benchmark.ts'
import type { Benchmark } from '../benchmark.ts'
import { type ListTimes, cpuSlowdown, openThrottled } from '../browser/throttled-list.ts'

const keyCount = 200
const list = { path: consolePages.apiKeys, heading: 'API keys', search: 'Search keys', typed: 'build 7' }
const built = 'console/dist'
const slowNetwork = { kilobytesPerSec: 30, latencyMs: 600 }
/** Nobody answers there; its page is the same. */
const service = {
  id: 'ethereum-node',
  name: 'Ethereum node',
  chain: 'ethereum',
  provider: 'bench',
  endpoint: 'http://127.0.0.1:1/',
}
/** One service is enough for its page; the operator is let in at the page to sign in, too. */
const pagePaths = Object.values(consolePages).map((path) => path.replace(':serviceId', service.id))

export const consoleInBrowser: Benchmark = {
  name: 'console',
  about: `the console in a browser: weight of its script, and a list of ${keyCount} API keys on a slow processor`,

  async run({ rounds }) {
    const subject = await startConsole({ services: [service] })
    try {
      await makeKeys(subject)
      const weights = {
        apiKeys: await scriptWeight(subject, [consolePages.apiKeys]),
        pages: await scriptWeight(subject, pagePaths),
        everything: everyScriptWeight(),
      }
      const painted: number[] = []
      for (let round = 0; round < rounds; round++) painted.push(await firstPaintMs(subject))
      const slow: ListTimes[] = []
      for (let round = 0; round < rounds; round++) slow.push(await openThrottled(subject, list))
      return {
        title: 'Console',
        rows: [
          benchmarkRowOf('script of the API-keys page, gzipped', 'kB', [weights.apiKeys], atMost(115)),
          benchmarkRowOf('script of all pages, gzipped', 'kB', [weights.pages], atMost(240)),
          benchmarkRowOf('every script, dialogs included, gzipped', 'kB', [weights.everything]),
          benchmarkRowOf('first paint over a slow connection', 'ms', painted, atMost(2_500)),
          benchmarkRowOf(
            `${keyCount} keys, rows visible`,
            'ms',
            slow.map(({ rowsVisibleMs }) => rowsVisibleMs),
            atMost(1_500),
          ),
          benchmarkRowOf(
            `${keyCount} keys, filter keystroke to paint`,
            'ms',
            slow.flatMap(({ keystrokesMs }) => keystrokesMs),
            atMost(50),
          ),
        ],
        notes: [
          `Chromium without a window, its processor slowed down ${cpuSlowdown} times; every round is a new browser profile with nothing cached.`,
          'Rows visible counts from the start of the navigation, signed in, until the frame with the first keys has been painted. A keystroke counts from the key to the end of the frame that shows its effect.',
          `The slow connection has ${slowNetwork.kilobytesPerSec} kB/s and ${slowNetwork.latencyMs} ms; first paint is that of the first text (First Contentful Paint).`,
          'Script of a page is what the browser loads when it is opened, without dialogs that nobody opened; kB are 1,000 bytes.',
        ],
      }
    } finally {
      await subject.stop()
    }
  },
}

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

/** Of the pages together, each opened once and nothing on it. */
async function scriptWeight(
  { visit, operator }: ConsoleUnderTest,
  paths: readonly string[],
): Promise<number> {
  const { page, context } = await visit(operator)
  const scripts = new Set<string>()
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.add(new URL(request.url()).pathname)
  })
  for (const path of paths) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
  }
  await context.close()
  return weightOf([...scripts])
}

/** Dialogs and whatever else is loaded only by those who use it included. */
const everyScriptWeight = (): number =>
  weightOf(
    readdirSync(built, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.js'))
      .map((name) => `/${name}`),
  )

/** Of files of the console, as the server compresses them. */
function weightOf(paths: readonly string[]): number {
  const bytes = paths.map((path) => Bun.gzipSync(readFileSync(built + path), { level: 9 }).length)
  return bytes.reduce((sum, length) => sum + length, 0) / 1_000
}

/** Of the page to sign in, nothing of it in the browser's cache: the time until it shows its first text. */
async function firstPaintMs({ visit }: ConsoleUnderTest): Promise<number> {
  const { page, context } = await visit(null)
  const devTools = await context.newCDPSession(page)
  await devTools.send('Network.enable')
  await devTools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: slowNetwork.latencyMs,
    downloadThroughput: slowNetwork.kilobytesPerSec * 1_000,
    uploadThroughput: slowNetwork.kilobytesPerSec * 1_000,
  })
  await page.goto(consolePages.signIn, { waitUntil: 'commit', timeout: 60_000 })
  const paint = await page.waitForFunction(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    undefined,
    { timeout: 60_000 },
  )
  const paintedMs = Number(await paint.jsonValue())
  await context.close()
  return paintedMs
}
