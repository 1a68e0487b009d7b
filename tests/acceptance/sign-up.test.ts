import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { ada, startIdentityProvider } from '../../scripts/world/identity-provider.ts'
import type { TestIdentityProvider } from '../../scripts/world/identity-provider.ts'
import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import type { SignUpPolicy } from '../../shared/accounts.ts'
import { testDatabase } from '../../scripts/world/database.ts'
import type { TestDatabase } from '../../scripts/world/database.ts'
import type { TestBrowser } from './sign-in-browser.ts'
import { providerSettings, signInByWallet, signInUnderTest } from './sign-in-under-test.ts'
import type { SignInUnderTest } from './sign-in-under-test.ts'

let testing: TestDatabase
let provider: TestIdentityProvider
const opened: SignInUnderTest[] = []

beforeAll(async () => {
  provider = await startIdentityProvider()
})
afterAll(() => provider?.stop())
beforeEach(async () => {
  testing = await testDatabase()
})
afterEach(async () => {
  for (const one of opened.splice(0)) one.stop()
  await testing?.drop()
})

const operator = createTestWallet()

/** One process of an installation with this policy. */
async function processWith(signUp: SignUpPolicy, operators = [operator.address]): Promise<SignInUnderTest> {
  const settings = { signUp, operators, ...providerSettings(provider) }
  const under = await signInUnderTest(testing.database, { settings })
  opened.push(under)
  return under
}

async function signedIn(under: SignInUnderTest, wallet = createTestWallet()): Promise<TestBrowser> {
  const browser = under.browser()
  expect((await signInByWallet(browser, wallet)).status).toBe(200)
  return browser
}

const dataOf = <Data>({ text }: { text: string }): Data =>
  (JSON.parse(text) as { result: { data: Data } }).result.data

const me = async (browser: TestBrowser) =>
  dataOf<{ id: string; state: string; role: string }>(await browser.query('accounts.me'))

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve())
  })

const countOfAccounts = async (): Promise<number> =>
  (await testing.database.sql`SELECT 1 FROM accounts`).length

describe('with approval', () => {
  test('a new account sees who it is, and everything else is refused, until an operator lets it in', async () => {
    const under = await processWith('approval')
    const newcomer = await signedIn(under)
    const { id, state } = await me(newcomer)
    expect(state).toBe('pending')
    for (const refused of [
      await newcomer.query('probe.who'),
      await newcomer.mutate('probe.change'),
      await newcomer.mutate('probe.reveal'),
      await newcomer.query('probe.operate'),
      await newcomer.query('accounts.sessions'),
      await newcomer.mutate('accounts.withdrawContact'),
      await newcomer.mutate('accounts.approve', { account: id }),
    ]) {
      expect(refused.status).toBe(403)
    }
    const { text } = await newcomer.query('probe.who')
    expect(text).toContain('"fault":"account_not_approved"')
    expect(text).toContain('An operator of this installation has to approve your account first')

    const boss = await signedIn(under, operator)
    expect(await me(boss)).toMatchObject({ state: 'active', role: 'operator' })
    const waiting = dataOf<{ count: number; accounts: { id: string }[] }>(
      await boss.query('accounts.pending'),
    )
    expect(waiting).toMatchObject({ count: 1, accounts: [{ id, state: 'pending' }] })

    expect((await boss.mutate('accounts.approve', { account: id })).status).toBe(200)
    expect((await newcomer.query('probe.who')).status).toBe(200)
    expect((await me(newcomer)).state).toBe('active')
    expect(under.auditEntries.at(-1)).toMatchObject({
      actor: { id: (await me(boss)).id },
      action: 'account.approve',
      subject: { kind: 'account', id },
      before: { state: 'pending' },
      after: { state: 'active' },
    })
    expect((await boss.mutate('accounts.approve', { account: id })).status).toBe(409)
    expect((await boss.mutate('accounts.approve', { account: 'acc_none' })).status).toBe(404)
  })

  test('an approval at one process is applied in the others', async () => {
    const [one, other] = [await processWith('approval'), await processWith('approval')]
    const wallet = createTestWallet()
    const newcomer = await signedIn(one, wallet)
    const { id } = await me(newcomer)
    expect((await newcomer.query('probe.who')).status).toBe(403)
    const boss = await signedIn(other, operator)
    const notified = one.accounts.streamEnd(id)
    expect((await boss.mutate('accounts.approve', { account: wallet.address })).status).toBe(200)
    await aborted(notified)
    expect((await newcomer.query('probe.who')).status).toBe(200)
  })

  test('it cannot link or confirm an identity meanwhile, but it can sign out', async () => {
    const newcomer = await signedIn(await processWith('approval'))
    expect((await signInByWallet(newcomer, createTestWallet(), { purpose: 'link' })).status).toBe(403)
    expect((await signInByWallet(newcomer, createTestWallet(), { purpose: 'confirm' })).status).toBe(403)
    expect((await newcomer.post('/auth/sign-out', {})).status).toBe(204)
    expect(await newcomer.query('accounts.me')).toMatchObject({ text: '{"result":{"data":null}}' })
  })

  test('accounts from before the policy go on', async () => {
    const wallet = createTestWallet()
    await signedIn(await processWith('open'), wallet)
    const again = await signedIn(await processWith('approval'), wallet)
    expect((await again.query('probe.who')).status).toBe(200)
  })
})

describe('closed', () => {
  test('new identities are refused by every way in, and nothing of them is stored', async () => {
    const known = createTestWallet()
    await signedIn(await processWith('open'), known)
    const under = await processWith('closed')
    const before = await countOfAccounts()
    const refused = await signInByWallet(under.browser())
    expect(refused.status).toBe(403)
    expect(refused.text).toContain('This installation takes no new accounts')

    provider.signInAs({ ...ada, id: 987 })
    const browser = under.browser()
    const started = await browser.get('/auth/github')
    const back = await fetch(started.headers.get('location') ?? '', { redirect: 'manual' })
    const { pathname, search } = new URL(back.headers.get('location') ?? '')
    const answer = await browser.get(pathname + search)
    expect(answer.headers.get('location')).toBe('/sign-in?problem=sign_up_closed')
    expect((await browser.query('probe.who')).status).toBe(401)
    expect(await countOfAccounts()).toBe(before)

    expect((await (await signedIn(under, known)).query('probe.who')).status).toBe(200)
    expect((await (await signedIn(under, operator)).query('probe.operate')).status).toBe(200)
  })
})

test.each(['approval', 'closed'] as const)(
  '%s: the first operator is let in by the setup link, and nobody else',
  async (policy) => {
    const under = await processWith(policy, [])
    const [first, other] = [await signedIn(under), await signedIn(under)]
    expect((await first.query('probe.who')).status).toBe(403)
    const token = new URL((await under.accounts.setupLink()) ?? '').hash.replace('#setup=', '')
    expect((await first.post('/auth/setup', { token })).status).toBe(200)
    expect(await me(first)).toMatchObject({ state: 'active', role: 'operator' })
    expect((await first.query('probe.operate')).status).toBe(200)
    expect((await other.query('probe.who')).status).toBe(403)
  },
)
