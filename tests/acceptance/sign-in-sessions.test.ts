import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import type { SessionView } from '../../shared/accounts.ts'
import { testDatabase } from '../../scripts/world/database.ts'
import type { TestDatabase } from '../../scripts/world/database.ts'
import type { TestBrowser } from './sign-in-browser.ts'
import { signInByWallet, signInUnderTest } from './sign-in-under-test.ts'
import type { SignInUnderTest } from './sign-in-under-test.ts'
import { hourMs } from '../../shared/durations.ts'
import { covers } from '../support/covers.ts'

let testing: TestDatabase
let under: SignInUnderTest

beforeAll(async () => {
  testing = await testDatabase()
  under = await signInUnderTest(testing.database)
})
afterAll(async () => {
  under?.stop()
  await testing?.drop()
})

const statusOf = async (browser: TestBrowser): Promise<number> => (await browser.query('probe.who')).status

async function sessionsOf(browser: TestBrowser): Promise<SessionView[]> {
  const { text } = await browser.query('accounts.sessions')
  return (JSON.parse(text) as { result: { data: SessionView[] } }).result.data
}

async function signedIn(wallet = createTestWallet(), own = under): Promise<TestBrowser> {
  const browser = own.browser()
  expect((await signInByWallet(browser, wallet)).status).toBe(200)
  return browser
}

/** Runs with a server of its own, whose clock can be moved without harm to other tests. */
async function withOwnServer(
  work: (own: SignInUnderTest) => Promise<void>,
  publicUrl?: string,
): Promise<void> {
  const own = await signInUnderTest(testing.database, publicUrl === undefined ? {} : { publicUrl })
  try {
    await work(own)
  } finally {
    own.stop()
  }
}

describe('the cookie', () => {
  test('over https is bound to this host, and to requests of its own pages', async () => {
    covers('threat-29')
    const browser = under.browser()
    const wallet = createTestWallet()
    const asked = await browser.post('/auth/wallet/challenge', { address: wallet.address, chainId: 1 })
    expect(asked.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-gatehouse-visit=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ])
    const { message } = JSON.parse(asked.text) as { message: string }
    const answer = await browser.post('/auth/wallet/verify', { message, signature: wallet.sign(message) })
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-gatehouse=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/,
      ),
      '__Host-gatehouse-visit=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
      '__Host-gatehouse-invitation=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    ])
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test('over http on a loopback address has a plain name', () =>
    withOwnServer(async (own) => {
      const browser = await signedIn(undefined, own)
      expect([...browser.cookies.keys()]).toEqual(['gatehouse'])
      expect(await statusOf(browser)).toBe(200)
    }, 'http://127.0.0.1:3000'))

  test('is new at each sign-in: one that somebody planted before gets nobody in', async () => {
    covers('threat-28')
    const planted = 'A'.repeat(43)
    const browser = under.browser()
    browser.cookies.set('__Host-gatehouse', planted)
    const attacker = browser.twin()
    await signInByWallet(browser)
    expect(browser.cookies.get('__Host-gatehouse')).not.toBe(planted)
    expect(await statusOf(browser)).toBe(200)
    expect(await statusOf(attacker)).toBe(401)
  })

  test('of a sign-in that has begun is new at each start: one that somebody planted before is not kept', () => {
    covers('threat-28')
    return withOwnServer(async (own) => {
      const planted = 'A'.repeat(43)
      const browser = own.browser()
      browser.cookies.set('gatehouse-visit', planted)
      const attacker = browser.twin()
      const wallet = createTestWallet()
      const { text } = await browser.post('/auth/wallet/challenge', { address: wallet.address, chainId: 1 })
      expect(browser.cookies.get('gatehouse-visit')).toMatch(/^[\w-]{43}$/)
      expect(browser.cookies.get('gatehouse-visit')).not.toBe(planted)
      const { message } = JSON.parse(text) as { message: string }
      const proof = { message, signature: wallet.sign(message) }
      expect((await attacker.post('/auth/wallet/verify', proof)).status).toBe(401)
      expect((await browser.post('/auth/wallet/verify', proof)).status).toBe(200)
    }, 'http://gate.example.org')
  })

  test('of before ends when its browser signs in again', async () => {
    const wallet = createTestWallet()
    const browser = await signedIn(wallet)
    const before = browser.twin()
    await signInByWallet(browser, wallet)
    expect(browser.cookies.get('__Host-gatehouse')).not.toBe(before.cookies.get('__Host-gatehouse'))
    expect(await statusOf(before)).toBe(401)
    expect(await sessionsOf(browser)).toHaveLength(1)
  })

  test('that is none is nobody', async () => {
    for (const value of ['', 'x', 'A'.repeat(43), 'A'.repeat(5_000), "' OR 1=1 --", '%00']) {
      const browser = under.browser()
      browser.cookies.set('__Host-gatehouse', value)
      expect(await statusOf(browser)).toBe(401)
    }
  })
})

test('the value of a cookie is nowhere in the database, and in no log', async () => {
  covers('threat-29')
  const browser = await signedIn()
  const secret = browser.cookies.get('__Host-gatehouse') ?? ''
  const raw = Buffer.from(secret, 'base64url')
  const { sql } = testing.database
  const tables = ['accounts', 'identities', 'web_sessions', 'sign_in_nonces', 'oauth_states', 'setup_tokens']
  const dumps = await Promise.all(
    tables.map((table) => sql`SELECT row_to_json(t)::text AS row FROM ${sql(table)} t`),
  )
  const rows = dumps.flat().map(({ row }) => String(row))
  expect(rows.some((row) => row.includes('ses_'))).toBe(true)
  const planted = [secret, raw.toString('hex'), raw.toString('base64'), Buffer.from(secret).toString('hex')]
  const everything = rows.concat(under.lines).join('\n')
  for (const text of planted) expect(everything).not.toContain(text)
})

describe('the list', () => {
  test('shows where one is signed in, and ends sessions before it answers', async () => {
    const wallet = createTestWallet()
    const [here, there] = [await signedIn(wallet), await signedIn(wallet)]
    const sessions = await sessionsOf(here)
    expect(sessions.map(({ isThisOne }) => isThisOne).toSorted()).toEqual([false, true])
    expect(sessions[0]).toMatchObject({ browser: 'Firefox on Linux', network: '198.51.100.0/24' })

    expect(await statusOf(there)).toBe(200)
    const other = sessions.find(({ isThisOne }) => !isThisOne)
    expect((await here.mutate('accounts.endSession', { id: other?.id })).status).toBe(200)
    expect(await statusOf(there)).toBe(401)
    expect(await statusOf(here)).toBe(200)
    expect(under.auditEntries.at(-1)).toMatchObject({
      action: 'account.session_revoke',
      before: { session: other?.id },
    })
  })

  test('ends all the others', async () => {
    const wallet = createTestWallet()
    const browsers = [await signedIn(wallet), await signedIn(wallet), await signedIn(wallet)] as const
    expect(await Promise.all(browsers.map(statusOf))).toEqual([200, 200, 200])
    expect((await browsers[1].mutate('accounts.endOtherSessions')).text).toContain('{"ended":2}')
    expect(await Promise.all(browsers.map(statusOf))).toEqual([401, 200, 401])
  })

  test('knows no session of somebody else: 404, and it goes on', async () => {
    const [mine, theirs] = [await signedIn(), await signedIn()]
    const [session] = await sessionsOf(theirs)
    expect((await mine.mutate('accounts.endSession', { id: session?.id })).status).toBe(404)
    expect(await statusOf(theirs)).toBe(200)
  })
})

test('signing out ends the session for whoever has its cookie', async () => {
  const browser = await signedIn()
  const copy = browser.twin()
  expect(await statusOf(copy)).toBe(200)
  expect((await browser.post('/auth/sign-out')).status).toBe(204)
  expect(browser.cookies.size).toBe(0)
  expect(await statusOf(copy)).toBe(401)
  expect(under.auditEntries.at(-1)?.action).toBe('account.sign_out')
  expect((await browser.post('/auth/sign-out')).status).toBe(204)
})

test('a session that is ended by one process is not good in another', () =>
  withOwnServer(async (other) => {
    const wallet = createTestWallet()
    const [here, there] = [await signedIn(wallet), await signedIn(wallet, other)]
    expect(await statusOf(there)).toBe(200)
    const session = (await sessionsOf(here)).find(({ isThisOne }) => !isThisOne)
    await here.mutate('accounts.endSession', { id: session?.id })
    await waitUntil('the other process has heard of it', async () => (await statusOf(there)) === 401, 1_000)
  }))

describe('time', () => {
  test('a day without use ends it, and use keeps it alive', () =>
    withOwnServer(async (own) => {
      const [used, idle] = [await signedIn(undefined, own), await signedIn(undefined, own)]
      for (let hour = 0; hour < 25; hour += 5) {
        own.advance(5 * hourMs)
        expect(await statusOf(used)).toBe(200)
      }
      expect(await statusOf(idle)).toBe(401)
    }))

  test('thirty days end it, however much it is used', () =>
    withOwnServer(async (own) => {
      const browser = await signedIn(undefined, own)
      for (let day = 1; day <= 30; day++) {
        own.advance(23.9 * hourMs)
        expect(await statusOf(browser)).toBe(200)
      }
      own.advance(4 * hourMs)
      expect(await statusOf(browser)).toBe(401)
    }))

  test('what needs a fresh session asks for a signature after fifteen minutes', () =>
    withOwnServer(async (own) => {
      const wallet = createTestWallet()
      const browser = await signedIn(wallet, own)
      own.advance(14 * 60_000)
      expect((await browser.mutate('probe.reveal')).status).toBe(200)
      own.advance(61_000)
      const refused = await browser.mutate('probe.reveal')
      expect(refused.status).toBe(401)
      expect(refused.text).toContain('"fault":"stale_session"')
      expect(await statusOf(browser)).toBe(200)

      const before = browser.twin()
      const confirmed = await signInByWallet(browser, wallet, { purpose: 'confirm' })
      expect(confirmed.status).toBe(200)
      expect((await browser.mutate('probe.reveal')).status).toBe(200)
      expect((await before.mutate('probe.reveal')).status).toBe(401)
    }))

  test('only an identity of the account itself confirms', () =>
    withOwnServer(async (own) => {
      const browser = await signedIn(undefined, own)
      own.advance(16 * 60_000)
      expect((await signInByWallet(browser, createTestWallet(), { purpose: 'confirm' })).status).toBe(403)
      expect((await browser.mutate('probe.reveal')).status).toBe(401)
      expect((await signInByWallet(own.browser(), undefined, { purpose: 'confirm' })).status).toBe(401)
    }))
})

test('what a request under way leaves behind for a deleted account is swept up, and its identity is free again', () =>
  withOwnServer(async (own) => {
    const wallet = createTestWallet()
    const before = await own.accounts.create({ ...byTest, ip: null, requestId: 'r' }, wallet.address)
    await own.accounts.delete({ ...byTest, ip: null, requestId: 'r' }, before.id)
    await testing.database.sql`
      INSERT INTO identities (id, account_id, kind, subject, linked_at)
      VALUES ('idn_late', ${before.id}, 'wallet', ${wallet.address.toLowerCase()}, now())`
    await own.accounts.clean()
    expect((await signInByWallet(own.browser(), wallet)).status).toBe(200)
    const [identity] = await testing.database.sql<{ account_id: string }[]>`
      SELECT account_id FROM identities WHERE subject = ${wallet.address.toLowerCase()}`
    expect(identity?.account_id).not.toBe(before.id)
    const last = await own.accounts
      .delete({ ...byTest, ip: null, requestId: 'r' }, before.id)
      .catch((error: unknown) => error)
    expect(last).toMatchObject({ code: 'not_found' })
  }))

const byTest = { actor: { id: 'cli', label: 'Command line' } }

test('sessions that are over are removed', () =>
  withOwnServer(async (own) => {
    await signedIn(undefined, own)
    own.advance(31 * 24 * hourMs)
    await own.accounts.clean()
    const rows = await testing.database.sql`SELECT 1 FROM web_sessions`
    expect(rows).toHaveLength(0)
  }))
