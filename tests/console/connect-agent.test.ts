import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import type { Page } from 'playwright-core'

import { looks, nothingWrong, startConsole, wrongsOn } from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest } from '../../scripts/world/console-under-test.ts'
import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import { needs } from '../support/needs.ts'

const isReady = needs('chromium-headless-shell')

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const verifier = 'v'.repeat(43)

describe.skipIf(!isReady)('the page on which agents are let in', () => {
  let subject: ConsoleUnderTest
  /** A program on this computer, which waits for its answer. */
  let program: ReturnType<typeof Bun.serve>
  const answers: URL[] = []

  beforeAll(async () => {
    program = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch(request) {
        const url = new URL(request.url)
        if (url.pathname === '/callback') answers.push(url)
        return new Response('Thank you.')
      },
    })
    subject = await startConsole('', {}, [`http://127.0.0.1:${program.port}`])
  }, 60_000)

  afterAll(async () => {
    await subject?.stop()
    await program?.stop(true)
  })

  const redirectUri = (): string => `http://127.0.0.1:${program.port}/callback`

  async function register(name = 'Quill'): Promise<string> {
    const answer = await fetch(`${subject.server.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: name, redirect_uris: [redirectUri()] }),
    })
    return ((await answer.json()) as { client_id: string }).client_id
  }

  const linkFor = (clientId: string, over: Record<string, string> = {}): string =>
    `/oauth/authorize?${new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri(),
      state: 'xyz',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      scope: 'gateway_use statistics_read',
      ...over,
    })}`

  test('signed out: the request is kept while somebody signs in with a wallet, and what is agreed to is what the agent gets', async () => {
    const clientId = await register()
    const { page, complaints } = await subject.visit(null)
    await page.goto(linkFor(clientId))
    await button(page, 'Try with a throwaway wallet').click()
    await page.getByRole('heading', { name: 'A program that calls itself “Quill”' }).waitFor()
    expect(new URL(page.url()).search).toBe('')
    expect(await button(page, 'Allow').isDisabled()).toBe(true)
    await page.getByText('Allow this only if you have just started it yourself').waitFor()
    await page.getByLabel('Read your statistics').uncheck()
    await button(page, 'Allow').click()
    await page.getByText('Thank you.').waitFor()
    const answer = answers.at(-1)?.searchParams
    expect([answer?.get('state'), answer?.get('iss')]).toEqual(['xyz', subject.server.url])
    const tokens = await fetch(`${subject.server.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: clientId,
        code: answer?.get('code') ?? '',
        code_verifier: verifier,
        redirect_uri: redirectUri(),
      }),
    })
    expect(await tokens.json()).toMatchObject({ scope: 'gateway_use', token_type: 'Bearer' })

    await page.goto('/gateway?tab=agents')
    await page.getByRole('row').filter({ hasText: 'Quill' }).getByText('a program on this computer').waitFor()
    await button(page, 'Revoke “Quill”').click()
    await button(page, 'Revoke').click()
    await page.getByText('No agent is let in').waitFor()
    expect(complaints).toEqual([])
  })

  test('declined: the agent is told so, and nothing is granted', async () => {
    const { page } = await subject.visit(createTestWallet())
    await page.goto(linkFor(await register()))
    await button(page, 'Decline').click()
    await page.getByText('Thank you.').waitFor()
    expect(answers.at(-1)?.searchParams.get('error')).toBe('access_denied')
    expect(answers.at(-1)?.searchParams.has('code')).toBe(false)
  })

  test('a request that cannot be trusted shows why, and leads nowhere but to the overview', async () => {
    const { page } = await subject.visit(createTestWallet())
    const before = answers.length
    await page.goto(linkFor(await register(), { redirect_uri: `${redirectUri()}.evil.example/callback` }))
    await page.getByRole('heading', { name: 'This request was not passed on' }).waitFor()
    await page.getByText('redirect_not_registered').waitFor()
    expect(await page.getByRole('button').count()).toBe(0)
    await page.goto(linkFor('gcl_unknown'))
    await page.getByText('client_unknown').waitFor()
    expect(answers.length).toBe(before)
  })

  test('a name that looks like markup or a host is shown as what it is: a name', async () => {
    const { page, complaints } = await subject.visit(createTestWallet())
    await page.goto(linkFor(await register('<b>claude.ai</b> verified by Gatehouse')))
    await page
      .getByRole('heading', { name: 'A program that calls itself “<b>claude.ai</b> verified by Gatehouse”' })
      .waitFor()
    await page.getByText('Not verified', { exact: true }).waitFor()
    expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BUTTON')
    expect(complaints).toEqual([])
  })

  test('cannot be framed, and sends no referrer', async () => {
    const answer = await fetch(`${subject.server.url}/connect-agent`)
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
  })

  test.each(looks)('$name: nothing is wrong with the way it looks', async (look) => {
    const { page, complaints } = await subject.visit(createTestWallet(), look)
    await page.goto(linkFor(await register()))
    await button(page, 'Allow').and(page.locator(':enabled')).waitFor()
    expect(await wrongsOn(page, complaints)).toEqual(nothingWrong)
    await button(page, 'Allow').click()
    await page.getByText('Thank you.').waitFor()
    await page.goto('/gateway?tab=agents')
    await page.getByRole('row').filter({ hasText: 'Quill' }).waitFor()
    expect(await wrongsOn(page, complaints)).toEqual(nothingWrong)
  })
})
