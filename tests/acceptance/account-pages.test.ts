import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'

import { launchChromium } from '../../scripts/world/chromium.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import type { SignedInClient } from '../../scripts/world/signed-in-client.ts'
import { needs } from '../support/needs.ts'

/** The Account API as a page of another site sees it: an API key lets in the pages of its Allowed Domains. */

const pages = { allowed: 'http://app.example.com', other: 'http://other.example.net' }

let installation: TestInstallation
let server: GatehouseProcess
let owner: SignedInClient

beforeAll(async () => {
  installation = await createTestInstallation({})
  server = await installation.start()
  owner = await signInAt(server.url)
}, 60_000)
afterAll(() => installation?.remove())

async function makeKey(allowedDomains: readonly string[], permissions: readonly string[] = ['token_create']) {
  const { data } = await owner.mutate('apiKeys.create', { name: 'page', permissions, allowedDomains })
  return (data as { value: string }).value
}

/** What the page's script sees: the status and the code of a refusal, or that it may see nothing. */
function callFrom(page: Page, value: string, method: string, path: string, body?: unknown): Promise<string> {
  const headers = {
    authorization: `Bearer ${value}`,
    'content-type': 'application/json',
    'idempotency-key': 'once',
  }
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  return page.evaluate(
    async (sent) => {
      try {
        const response = await fetch(sent.url, sent.init)
        const answer = (await response.json()) as { error?: { code: string } }
        return `${response.status} ${answer.error?.code ?? 'ok'}`
      } catch {
        return 'nothing'
      }
    },
    { url: `${server.url}/account/${path}`, init },
  )
}

const askAs = (value: string, origin: string) =>
  fetch(`${server.url}/account/query-keys`, { headers: { authorization: `Bearer ${value}`, origin } })

test('a preflight is answered for every page, as it carries no key', async () => {
  for (const path of ['create-api-keys', 'query-keys', 'query-keys/qkey_1/rotate', 'statistics/keys']) {
    const response = await fetch(`${server.url}/account/${path}`, {
      method: 'OPTIONS',
      headers: { origin: pages.other, 'access-control-request-method': 'PATCH' },
    })
    expect(response.status).toBe(204)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
      'access-control-allow-headers': 'authorization, content-type, idempotency-key',
    })
  }
})

test('only the page that the key lets in may read the answer', async () => {
  const restricted = await makeKey(['app.example.com'])
  const { status, headers } = await askAs(restricted, pages.allowed)
  expect([status, headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([
    200,
    pages.allowed,
    'Origin',
  ])
  // `Link` among them, by which CSV statistics name their next page.
  expect(headers.get('access-control-expose-headers')).toBe('*')
  for (const [value, origin, expected] of [
    [restricted, pages.other, 403],
    [await makeKey([]), pages.allowed, 200],
    ['gak_nothing', pages.allowed, 401],
  ] as const) {
    const answer = await askAs(value, origin)
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([expected, null])
  }
})

describe.skipIf(!needs('chromium-headless-shell'))('in a browser', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await launchChromium([
      `--host-resolver-rules=MAP *.example.com 127.0.0.1, MAP *.example.net 127.0.0.1`,
    ])
  })
  afterAll(() => browser?.close())

  const site = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () =>
      new Response('<!doctype html><title>A page</title>', { headers: { 'content-type': 'text/html' } }),
  })
  afterAll(() => site.stop(true))

  async function pageOf(origin: string): Promise<Page> {
    const page = await browser.newPage()
    await page.goto(`${origin}:${site.port}/`)
    return page
  }

  test('an allowed page reads answers and refusals; another page reads nothing', async () => {
    const domains = [`app.example.com:${site.port}`]
    const value = await makeKey(domains)
    const allowed = await pageOf(pages.allowed)
    const other = await pageOf(pages.other)
    expect(await callFrom(allowed, value, 'GET', 'query-keys')).toBe('200 ok')
    expect(await callFrom(allowed, value, 'GET', 'statistics/keys')).toBe('403 permission_missing')
    expect(await callFrom(allowed, value, 'POST', 'create-api-keys', [{ name: '' }])).toBe(
      '422 invalid_request',
    )
    expect(await callFrom(allowed, value, 'DELETE', 'query-keys/qkey_none')).toBe('404 not_found')
    expect(await callFrom(other, value, 'GET', 'query-keys')).toBe('nothing')
    expect(await callFrom(allowed, await makeKey([]), 'GET', 'query-keys')).toBe('nothing')
  })
})
