import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { ada, startIdentityProvider } from '../../scripts/world/identity-provider.ts'
import type { TestIdentityProvider } from '../../scripts/world/identity-provider.ts'
import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import type { AccountView } from '../../shared/accounts.ts'
import { testDatabase } from '../../scripts/world/database.ts'
import type { TestDatabase } from '../../scripts/world/database.ts'
import type { TestBrowser } from './sign-in-browser.ts'
import { providerSettings, signInByWallet, signInUnderTest } from './sign-in-under-test.ts'
import type { SignInUnderTest } from './sign-in-under-test.ts'
import { covers } from '../support/covers.ts'

let testing: TestDatabase
let provider: TestIdentityProvider
let under: SignInUnderTest

beforeAll(async () => {
  testing = await testDatabase()
  provider = await startIdentityProvider()
  under = await signInUnderTest(testing.database, { settings: providerSettings(provider) })
})
afterAll(async () => {
  under?.stop()
  await provider?.stop()
  await testing?.drop()
})

async function signedIn(wallet = createTestWallet(), own = under): Promise<TestBrowser> {
  const browser = own.browser()
  expect((await signInByWallet(browser, wallet)).status).toBe(200)
  return browser
}

async function me(browser: TestBrowser): Promise<AccountView> {
  const { text } = await browser.query('accounts.me')
  return (JSON.parse(text) as { result: { data: AccountView } }).result.data
}

const tokenOf = (link: string | null): string => new URL(link ?? '').hash.replace('#setup=', '')

describe('the first operator', () => {
  test('comes by a link that works once', async () => {
    covers('threat-62')
    const { accounts } = under
    const links = [await accounts.setupLink(), await accounts.setupLink()] as const
    expect(links[0]).toStartWith('https://gate.example.org/sign-in#setup=gst_')
    expect((await under.browser().query('accounts.signInOptions')).text).toContain('"hasOperator":false')

    const [first, second] = [await signedIn(), await signedIn()]
    const token = tokenOf(links[0])
    expect((await under.browser().post('/auth/setup', { token })).status).toBe(401)
    expect((await first.post('/auth/setup', { token: 'gst_guessed' })).status).toBe(410)
    expect((await first.query('probe.operate')).status).toBe(403)

    expect((await first.post('/auth/setup', { token })).status).toBe(200)
    expect((await first.query('probe.operate')).status).toBe(200)
    expect(await me(first)).toMatchObject({ role: 'operator' })
    expect(under.auditEntries.at(-1)).toMatchObject({ action: 'operator.claim', after: { role: 'operator' } })

    expect((await second.post('/auth/setup', { token })).status).toBe(410)
    expect((await second.post('/auth/setup', { token: tokenOf(links[1]) })).status).toBe(410)
    expect((await second.query('probe.operate')).status).toBe(403)
    expect(await accounts.setupLink()).toBeNull()
    expect((await second.query('accounts.signInOptions')).text).toContain('"hasOperator":true')
  })

  test('is one, when two claim with two links at once', async () => {
    const { sql } = testing.database
    await sql`UPDATE accounts SET role = 'account'`
    const links = await Promise.all([1, 2, 3].map(() => under.accounts.setupLink()))
    const browsers = await Promise.all(links.map(() => signedIn()))
    const answers = await Promise.all(
      browsers.map((browser, index) => browser.post('/auth/setup', { token: tokenOf(links[index] ?? null) })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 410, 410])
    const operators = await sql`SELECT 1 FROM accounts WHERE role = 'operator'`
    expect(operators).toHaveLength(1)
  })

  test('cannot be made by a link of the day before', async () => {
    covers('threat-62')
    await testing.database.sql`UPDATE accounts SET role = 'account'`
    const own = await signInUnderTest(testing.database)
    try {
      const token = tokenOf(await own.accounts.setupLink())
      own.advance(24 * 3_600_000 + 1)
      const browser = await signedIn(undefined, own)
      expect((await browser.post('/auth/setup', { token })).status).toBe(410)
    } finally {
      own.stop()
    }
  })
})

describe('operators by GATEHOUSE_OPERATORS', () => {
  test('are operators from their first sign-in on, for as long as the setting names them; there is no link', async () => {
    const wallet = createTestWallet()
    const named = await signInUnderTest(testing.database, { settings: { operators: [wallet.address] } })
    try {
      expect(await named.accounts.setupLink()).toBeNull()
      const answer = await signInByWallet(named.browser(), wallet)
      expect(answer.text).toContain('"role":"operator"')
      const browser = await signedIn(wallet, named)
      expect((await browser.query('probe.operate')).status).toBe(200)
      expect((await browser.query('accounts.list')).text).toContain('"role":"operator"')
      expect((await (await signedIn(undefined, named)).query('probe.operate')).status).toBe(403)
      expect((await (await signedIn(wallet)).query('probe.operate')).status).toBe(403)
    } finally {
      named.stop()
    }
  })
})

async function linkGithub(browser: TestBrowser, id: number) {
  provider.signInAs({ ...ada, id })
  const start = { purpose: 'link', returnTo: '/settings' }
  const started = await browser.post('/auth/github', start)
  if (started.status !== 200) return started
  const { location } = JSON.parse(started.text) as { location: string }
  const confirmed = await fetch(location, { redirect: 'manual' })
  const back = new URL(confirmed.headers.get('location') ?? '')
  return browser.get(back.pathname + back.search)
}

describe('several identities of one account', () => {
  test('are joined while signed in, and each signs in', async () => {
    const browser = await signedIn()
    const second = createTestWallet()
    expect((await signInByWallet(browser, second, { purpose: 'link' })).status).toBe(200)
    expect((await linkGithub(browser, 1_001)).headers.get('location')).toBe('/settings')
    const { id, identities } = await me(browser)
    expect(identities.map(({ kind }) => kind)).toEqual(['wallet', 'wallet', 'github'])
    expect(identities[2]).toMatchObject({ subject: '1001', label: 'ada' })
    expect((await me(await signedIn(second))).id).toBe(id)
    expect(under.auditEntries.map(({ action }) => action)).toContain('account.link')
  })

  test('one that belongs to another account stays there', async () => {
    const taken = createTestWallet()
    const owner = await me(await signedIn(taken))
    const browser = await signedIn()
    expect((await signInByWallet(browser, taken, { purpose: 'link' })).status).toBe(409)
    expect((await me(await signedIn(taken))).id).toBe(owner.id)

    await linkGithub(await signedIn(), 2_002)
    expect((await linkGithub(browser, 2_002)).headers.get('location')).toBe(
      '/settings?problem=identity_taken',
    )
    expect((await me(browser)).identities).toHaveLength(1)
  })

  test('nobody joins without a session, or with one that is not fresh', async () => {
    const own = await signInUnderTest(testing.database, { settings: providerSettings(provider) })
    try {
      expect((await signInByWallet(own.browser(), undefined, { purpose: 'link' })).status).toBe(401)
      expect((await linkGithub(own.browser(), 3_003)).status).toBe(401)
      const browser = await signedIn(undefined, own)
      own.advance(16 * 60_000)
      expect((await signInByWallet(browser, createTestWallet(), { purpose: 'link' })).status).toBe(401)
      expect((await linkGithub(browser, 3_003)).status).toBe(401)
    } finally {
      own.stop()
    }
  })

  test('whoever is signed in when the proof comes must be who asked for it', async () => {
    const browser = await signedIn()
    const joining = createTestWallet()
    const asked = await browser.post('/auth/wallet/challenge', {
      address: joining.address,
      chainId: 1,
      purpose: 'link',
    })
    const { message } = JSON.parse(asked.text) as { message: string }
    const other = await signedIn()
    browser.cookies.set('__Host-gatehouse', other.cookies.get('__Host-gatehouse') ?? '')
    const proof = { message, signature: joining.sign(message) }
    expect((await browser.post('/auth/wallet/verify', proof)).status).toBe(401)
    expect((await me(other)).identities).toHaveLength(1)
  })

  test('can be removed but for the last one, and only one’s own', async () => {
    const browser = await signedIn()
    const second = createTestWallet()
    await signInByWallet(browser, second, { purpose: 'link' })
    const { id: accountId, identities } = await me(browser)
    const stranger = await signedIn()
    const [first, last] = identities.map(({ id }) => ({ id }))
    expect((await stranger.mutate('accounts.removeIdentity', first)).status).toBe(404)

    const removals = await Promise.all(
      [first, last].map((one) => browser.mutate('accounts.removeIdentity', one)),
    )
    expect(removals.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await me(browser)).identities).toHaveLength(1)
    const removed = identities.find(({ id }) => id === (removals[0]?.status === 200 ? first : last)?.id)
    expect(under.auditEntries.filter(({ action }) => action === 'account.unlink')).toEqual([
      expect.objectContaining({ subject: { kind: 'account', id: accountId } }),
    ])
    expect(removed).toBeDefined()
  })
})

describe('contact details', () => {
  test('are there from opting in until opting out, and in no record', async () => {
    const browser = await signedIn()
    expect((await me(browser)).contact).toBeNull()
    const details = { name: 'Planted Name', email: 'planted@example.org' }
    expect((await browser.mutate('accounts.shareContact', details)).status).toBe(200)
    expect((await me(browser)).contact).toEqual(details)

    expect((await browser.mutate('accounts.withdrawContact')).status).toBe(200)
    expect((await me(browser)).contact).toBeNull()
    const rows = await testing.database.sql`SELECT row_to_json(a)::text AS row FROM accounts a`
    const kept = JSON.stringify([rows, under.auditEntries, under.lines])
    expect(kept.toLowerCase()).not.toContain('planted')
  })

  test('that are none are refused', async () => {
    const browser = await signedIn()
    for (const input of [{}, { name: '' }, { email: 'nobody' }, { name: 'x'.repeat(101) }, { phone: '1' }]) {
      expect((await browser.mutate('accounts.shareContact', input)).status).toBeOneOf([400, 422])
    }
  })
})
