import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { ada, startIdentityProvider } from '../../scripts/world/identity-provider.ts'
import type { TestIdentityProvider } from '../../scripts/world/identity-provider.ts'
import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import type { SignUpPolicy } from '../../shared/accounts.ts'
import type { InvitationView, MadeInvitation, NewInvitation } from '../../shared/invitations.ts'
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

async function processWith(signUp: SignUpPolicy, signUpAllow: string[] = []): Promise<SignInUnderTest> {
  const settings = { signUp, signUpAllow, operators: [operator.address], ...providerSettings(provider) }
  const under = await signInUnderTest(testing.database, { settings })
  opened.push(under)
  return under
}

const dataOf = <Data>({ text }: { text: string }): Data =>
  (JSON.parse(text) as { result: { data: Data } }).result.data

async function invited(under: SignInUnderTest, asked: Partial<NewInvitation> = {}) {
  const boss = under.browser()
  await signInByWallet(boss, operator)
  const made = dataOf<MadeInvitation>(await boss.mutate('accounts.invite', asked))
  return { ...made, boss, token: new URL(made.link).hash.replace('#invitation=', '') }
}

const stateOf = async (browser: TestBrowser) =>
  dataOf<{ state: string } | null>(await browser.query('accounts.me'))?.state ?? null

async function signInAtGithub(browser: TestBrowser) {
  const started = await browser.get('/auth/github')
  const back = await fetch(started.headers.get('location') ?? '', { redirect: 'manual' })
  const { pathname, search } = new URL(back.headers.get('location') ?? '')
  return browser.get(pathname + search)
}

describe('invitation', () => {
  test('without one nobody gets an account; with one, one person does', async () => {
    const under = await processWith('invitation')
    const refused = await signInByWallet(under.browser())
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('needs an invitation here')])

    const { token, boss, id } = await invited(under, { note: 'for Ada' })
    const guest = under.browser()
    expect(await guest.post('/auth/invitation', { token })).toMatchObject({
      status: 200,
      text: '{"kind":"good"}',
    })
    expect((await signInByWallet(guest)).status).toBe(200)
    expect(await stateOf(guest)).toBe('active')
    expect(under.auditEntries.slice(-2).map(({ action }) => action)).toEqual([
      'account.join',
      'account.sign_in',
    ])
    expect(under.auditEntries.at(-2)?.after).toMatchObject({ by: id })

    const another = await under.browser().post('/auth/invitation', { token })
    expect([another.status, another.text]).toEqual([410, expect.stringContaining('was used already')])
    const list = dataOf<InvitationView[]>(await boss.query('accounts.invitations'))
    expect(list).toMatchObject([{ id, note: 'for Ada', state: 'used', usedAt: expect.any(Number) }])
    expect(JSON.stringify(list)).not.toContain(token)
  })

  test('by way of a provider, too', async () => {
    const under = await processWith('invitation')
    provider.signInAs({ ...ada, id: 4711 })
    const without = await signInAtGithub(under.browser())
    expect(without.headers.get('location')).toBe('/sign-in?problem=invitation_needed')
    const { token } = await invited(under, { for: 'github:4711' })
    const guest = under.browser()
    await guest.post('/auth/invitation', { token })
    expect((await signInAtGithub(guest)).headers.get('location')).toBe('/')
    expect(await stateOf(guest)).toBe('active')
  })

  test('of two who use it at once one gets in, and the other reads why not', async () => {
    const under = await processWith('invitation')
    const { token } = await invited(under)
    const guests = [under.browser(), under.browser()]
    for (const guest of guests) expect((await guest.post('/auth/invitation', { token })).status).toBe(200)
    const answers = await Promise.all(guests.map((guest) => signInByWallet(guest)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403])
    expect(answers.find(({ status }) => status === 403)?.text).toContain('was used already')
  })

  test('for somebody else, after its end, cancelled or made up: refused in words', async () => {
    const under = await processWith('invitation')
    const bound = await invited(under, { for: createTestWallet().address })
    const guest = under.browser()
    await guest.post('/auth/invitation', { token: bound.token })
    const wrong = await signInByWallet(guest)
    expect([wrong.status, wrong.text]).toEqual([403, expect.stringContaining('is for somebody else')])

    const show = (token: string) => under.browser().post('/auth/invitation', { token })
    const { token, id, boss } = await invited(under, { days: 1 })
    expect((await boss.mutate('accounts.cancelInvitation', { id })).status).toBe(200)
    expect((await show(token)).text).toContain('is not known here')
    expect((await show('giv_made_up')).text).toContain('is not known here')
    under.advance(8 * 86_400_000)
    expect((await show(bound.token)).text).toContain('has ended')
  })

  test('every one that is open is listed, however many newer ones there are, and 500 of the others', async () => {
    const under = await processWith('invitation')
    const { id, boss } = await invited(under)
    await testing.database.run(
      (sql) => sql`
        INSERT INTO invitations (id, token_hash, note, created_at, created_by, expires_at, used_at)
        SELECT 'inv_' || n, 'hash_' || n, '', now() + n * interval '1 second', 'ada', now() + interval '1 day',
          CASE WHEN n > 501 THEN now() END
        FROM generate_series(1, 1002) AS n`,
    )
    const list = dataOf<InvitationView[]>(await boss.query('accounts.invitations'))
    expect(list.filter(({ state }) => state === 'open')).toHaveLength(502)
    expect(list.filter(({ state }) => state === 'used')).toHaveLength(500)
    expect([list[0]?.id, list.at(-1)?.id]).toEqual(['inv_1002', id])
  })

  test('an operator names what cannot be read, and nobody else may invite', async () => {
    const under = await processWith('approval')
    const { boss } = await invited(under)
    for (const wrong of [
      { for: 'somebody' },
      { days: 0 },
      { days: 91 },
      { note: 'a\u202Eb' },
      { role: 'operator' },
    ]) {
      expect((await boss.mutate('accounts.invite', wrong)).status).toBe(422)
    }
    const other = under.browser()
    await signInByWallet(other)
    expect((await other.mutate('accounts.invite', {})).status).toBe(403)
    expect((await other.query('accounts.invitations')).status).toBe(403)
  })
})

describe('somebody who waits', () => {
  test('is let in by an invitation without signing in again', async () => {
    const under = await processWith('approval')
    const guest = under.browser()
    await signInByWallet(guest)
    expect(await stateOf(guest)).toBe('pending')
    const { token } = await invited(under)
    expect((await guest.post('/auth/invitation', { token })).text).toBe('{"kind":"joined"}')
    expect(await stateOf(guest)).toBe('active')
    expect((await guest.query('probe.who')).status).toBe(200)
    const { token: second } = await invited(under)
    expect((await guest.post('/auth/invitation', { token: second })).status).toBe(409)
  })

  test('is let in at the next sign-in when the setting names them by then', async () => {
    const wallet = createTestWallet()
    const first = (await processWith('approval')).browser()
    await signInByWallet(first, wallet)
    expect(await stateOf(first)).toBe('pending')
    const later = await processWith('approval', [wallet.address])
    const again = later.browser()
    await signInByWallet(again, wallet)
    expect(await stateOf(again)).toBe('active')
    expect(later.auditEntries.map(({ action }) => action)).toContain('account.join')
  })
})

test('the allow-list lets in a domain at Google; others of Google wait', async () => {
  const under = await processWith('approval', ['google-domain:kestrel.example'])
  const signInAtGoogle = async (hd: string | undefined, sub: string) => {
    provider.signInAs({ ...ada, sub })
    provider.alterTokens((_header, claims) => {
      if (hd !== undefined) claims.hd = hd
      claims.nonce = nonce
    })
    const browser = under.browser()
    const started = await browser.get('/auth/google')
    const location = new URL(started.headers.get('location') ?? '')
    const nonce = location.searchParams.get('nonce')
    const back = await fetch(location, { redirect: 'manual' })
    const { pathname, search } = new URL(back.headers.get('location') ?? '')
    await browser.get(pathname + search)
    return stateOf(browser)
  }
  expect(await signInAtGoogle('kestrel.example', '1')).toBe('active')
  expect(await signInAtGoogle('other.example', '2')).toBe('pending')
  expect(await signInAtGoogle(undefined, '3')).toBe('pending')
  provider.alterTokens(undefined)
})
