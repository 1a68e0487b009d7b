import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'

import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import { looks, nothingWrong, startConsole, wrongsOn } from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest } from '../../scripts/world/console-under-test.ts'
import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import { needs } from '../support/needs.ts'
import { button } from '../support/page.ts'

const isReady = needs('chromium-headless-shell')

const verifier = 'v'.repeat(43)

describe.skipIf(!isReady)('the page on which agents are let in', () => {
  let subject: ConsoleUnderTest
  let own: TestDatabase
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
    own = await testDatabase()
    subject = await startConsole('', { DATABASE_URL: own.url }, [`http://127.0.0.1:${program.port}`])
  }, 60_000)

  afterAll(async () => {
    await subject?.stop()
    await own?.drop()
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
    await page.getByText(`a program on this computer, at port ${program.port}`).waitFor()
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

  /** A client whose document was read a moment ago. */
  async function verifiedClient(id = 'https://agent.example/client.json'): Promise<string> {
    const uris = [redirectUri(), 'https://agent.example/back']
    await own.database.run(
      (sql) => sql`
        INSERT INTO agent_clients (id, kind, name, redirect_uris, proofs, fresh_until, created_at)
        VALUES (${id}, 'document', 'Quill', ${uris}::text[],
          ${sql.json({ methods: ['none'], jwksUri: null })}, now() + interval '1 hour', now())
        ON CONFLICT DO NOTHING`,
    )
    return id
  }

  test('a client by its document: the host that was verified comes first, its name second', async () => {
    const { page, complaints } = await subject.visit(createTestWallet())
    await page.goto(linkFor(await verifiedClient(), { redirect_uri: 'https://agent.example/back' }))
    await page.getByRole('heading', { name: 'agent.example' }).waitFor()
    await page.getByText('It calls itself “Quill”').waitFor()
    await page.getByText('Host verified').waitFor()
    expect(await page.getByText('on this computer').count()).toBe(0)
    expect(await wrongsOn(page, complaints)).toEqual(nothingWrong)
  })

  test('a virtual server is named, where access to one is asked for', async () => {
    const { page } = await subject.visit(createTestWallet())
    await page.goto(
      linkFor(await register(), { resource: `${subject.server.url}/mcp/v/gateway`, scope: 'gateway_use' }),
    )
    await page.getByText('wants to use the virtual server gateway of this gateway as you').waitFor()
    await page.getByText('With the tools of your virtual server gateway, and no others').waitFor()
    expect(await wrongsOn(page, [])).toEqual(nothingWrong)
  })

  test('an account with as many agents as it may have is told so, and nobody is sent anywhere', async () => {
    const { page } = await subject.visit(createTestWallet())
    await page.goto('/')
    const { result } = await (await page.request.get('/trpc/accounts.me')).json()
    await own.database.run(
      (sql) => sql`
        INSERT INTO agent_grants
          (id, account_id, client_id, client_name, redirect_host, scopes, resource, created_at, expires_at)
        SELECT 'gra_full' || place, ${result.data.id}, 'gcl_x', 'Full', '127.0.0.1', '{gateway_use}', '/mcp', now(),
          now() + interval '1 day' FROM generate_series(1, 50) AS place`,
    )
    await page.goto(linkFor(await register()))
    await page.getByText('too_many_agents').waitFor()
    await page.getByRole('link', { name: 'To your agents' }).click()
    await page.getByRole('row').filter({ hasText: 'Full' }).first().waitFor()
    await own.database.run((sql) => sql`DELETE FROM agent_grants WHERE account_id = ${result.data.id}`)
  })

  test('an operator sees the agents of all accounts, and ends one; its owner is told of a token that was used twice', async () => {
    const owner = await subject.visit(createTestWallet())
    await owner.page.goto(linkFor(await register('Borrowed')))
    await button(owner.page, 'Allow').click()
    await owner.page.getByText('Thank you.').waitFor()

    const { page, complaints } = await subject.visit(subject.operator)
    await page.goto('/gateway?tab=agents')
    await page.getByText('No agent is let in').waitFor()
    await page.getByText(/^All accounts/).click()
    await button(page, 'Revoke “Borrowed”').click()
    await page.getByText('To come back it has to ask its owner again.').waitFor()
    await button(page, 'Revoke').click()
    await page.getByText('“Borrowed” is out').waitFor()

    await own.database.run(
      (sql) => sql`UPDATE agent_grants SET revoked_why = 'refresh_reused' WHERE client_name = 'Borrowed'`,
    )
    await owner.page.goto('/')
    await owner.page.getByRole('link', { name: '1 agent was shut out' }).click()
    await owner.page.getByText('“Borrowed” was shut out').waitFor()
    expect(await wrongsOn(owner.page, [])).toEqual(nothingWrong)
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
    await page.getByText(`127.0.0.1:${program.port}`, { exact: true }).waitFor()
    expect(await wrongsOn(page, [])).toEqual(nothingWrong)
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
