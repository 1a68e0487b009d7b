import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'

import { launchChromium } from '../../scripts/world/chromium.ts'
import { createByteLimit } from '../../server/http/byte-limit.ts'
import type { Listener } from '../../server/http/listen.ts'
import { systemClock } from '../../server/platform/clock.ts'
import { needs } from '../support/needs.ts'
import { appUnderTest, ask } from './http-app-under-test.ts'

test('only the page and the files it needs are served', async () => {
  const under = appUnderTest()
  expect((await ask(under, '/reference/swagger-ui.css')).status).toBe(200)
  for (const other of [
    'package.json',
    'swagger-ui-bundle.js.map',
    '..%2fpackage.json',
    '%2e%2e',
    'index.html',
  ]) {
    expect((await ask(under, `/reference/${other}`)).status).toBe(404)
  }
})

test('no script stands in the page itself, and scripts come from this origin only', async () => {
  const { text, headers } = await ask(appUnderTest(), '/reference')
  expect(text).not.toMatch(/<script(?![^>]* src="\/reference\/)/)
  expect(text).not.toMatch(/https?:|\son\w+=|style=/)
  expect(headers.get('content-security-policy')).toContain("script-src 'self';")
})

test('a browser that has the files already is sent nothing', async () => {
  const under = appUnderTest()
  const { headers, text } = await ask(under, '/reference/swagger-ui-bundle.js')
  expect(text.length).toBeGreaterThan(1_000_000)
  const known = { headers: { 'if-none-match': headers.get('etag') ?? '' } }
  const again = await ask(under, '/reference/swagger-ui-bundle.js', known)
  expect([again.status, again.text]).toEqual([304, ''])
})

test('an address that has read too much waits, loopback too; others and small answers are not concerned', async () => {
  for (const path of ['/reference/swagger-ui-bundle.js', '/openapi.json']) {
    const bytes = (await ask(appUnderTest(), path)).text.length
    const under = appUnderTest({ reads: createByteLimit(bytes * 2.5, systemClock.monotonic) })
    const read = () => ask(under, path, {}, '127.0.0.1')
    expect([(await read()).status, (await read()).status]).toEqual([200, 200])
    const refused = await read()
    expect(refused.status).toBe(429)
    expect(refused.text).toContain('"rate_limited"')
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 60)
    expect((await ask(under, path)).status).toBe(200)
    expect((await ask(under, '/healthz', {}, '127.0.0.1')).status).toBe(200)
  }
})

describe.skipIf(!needs('chromium-headless-shell'))('in a browser', () => {
  let listener: Listener
  let browser: Browser
  let page: Page
  const problems: string[] = []

  beforeAll(async () => {
    listener = appUnderTest().app.listen({ host: '127.0.0.1', port: 0 })
    browser = await launchChromium()
    const origin = `http://127.0.0.1:${listener.port}`
    page = await browser.newPage()
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text())
    })
    page.on('pageerror', (error) => problems.push(String(error)))
    page.on('request', (request) => {
      const { protocol, origin: asked } = new URL(request.url())
      if (asked !== origin && protocol !== 'data:') problems.push(`asked ${request.url()}`)
    })
    await page.goto(`${origin}/reference`)
  })

  afterAll(async () => {
    await browser?.close()
    await listener?.stop(0)
  })

  test('it shows the operations and opens one, with no error and no foreign request', async () => {
    await page.getByText('Global Health API').first().waitFor()
    await page.getByText('One animal').click()
    await page.getByRole('button', { name: 'Try it out' }).click()
    await page.getByPlaceholder('name').fill('cat')
    await page.getByRole('button', { name: 'Execute' }).click()
    await page.getByText('"legs": 4').first().waitFor()
    await page.getByRole('button', { name: 'Authorize' }).click()
    await page.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('button', { name: 'Schemas' }).click()
    await page.getByText('AnimalInput').first().waitFor()
    expect(problems).toEqual([])
  })
})
