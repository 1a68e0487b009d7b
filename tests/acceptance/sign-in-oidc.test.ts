import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'

import { testDatabase } from '../../scripts/world/database.ts'
import type { TestDatabase } from '../../scripts/world/database.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import type { AccountSettings } from '../../server/accounts/accounts.ts'
import type { OidcSettings } from '../../server/accounts/providers/oidc.ts'
import { covers } from '../support/covers.ts'
import { type OpenidPeer, type PeerUser, startOpenidPeer } from '../support/openid-peer.ts'
import { type OpenidScript, type ScriptedOpenid, startScriptedOpenid } from '../support/scripted-openid.ts'
import type { BrowserAnswer, TestBrowser } from './sign-in-browser.ts'
import { signInByWallet, signInUnderTest } from './sign-in-under-test.ts'
import type { SignInUnderTest } from './sign-in-under-test.ts'

/** Sign-in with any provider of OpenID Connect: with one of another maker, and with one that lies. */

const client = { clientId: 'gate:house', clientSecret: 'a secret + of /oidc%' }
const redirectUrl = 'https://gate.example.org/auth/callback/oidc'
const ada: PeerUser = {
  sub: 'ada-1',
  name: 'Ada L.',
  email: 'ada@kestrel.example',
  email_verified: true,
  groups: ['Node operators', 'staff'],
}

let testing: TestDatabase
let peer: OpenidPeer
let scripted: ScriptedOpenid
const opened: SignInUnderTest[] = []

beforeAll(async () => {
  testing = await testDatabase()
  peer = await startOpenidPeer({ ...client, redirectUrl }, ada)
  scripted = await startScriptedOpenid(client)
})
afterEach(() => {
  for (const one of opened.splice(0)) one.stop()
  peer.signInAs(ada)
  scripted.play({})
})
afterAll(async () => {
  await peer?.stop()
  scripted?.stop()
  await testing?.drop()
})

const oidcAt = (issuer: string): OidcSettings => ({
  ...client,
  issuer,
  name: 'Kestrel ID',
  groupsClaim: 'groups',
})

async function gateAt(issuer: string, settings: Partial<AccountSettings> = {}): Promise<SignInUnderTest> {
  const under = await signInUnderTest(testing.database, { settings: { oidc: oidcAt(issuer), ...settings } })
  opened.push(under)
  return under
}

const dataOf = <Data>({ text }: BrowserAnswer): Data =>
  (JSON.parse(text) as { result: { data: Data } }).result.data

interface Me {
  readonly id: string
  readonly state: string
  readonly identities: readonly { id: string; kind: string; subject: string; label: string | null }[]
}
const meOf = async (browser: TestBrowser): Promise<Me> => dataOf(await browser.query('accounts.me'))
const isIn = async (browser: TestBrowser) => (await browser.query('probe.who')).status === 200

async function startedAt(browser: TestBrowser): Promise<URL> {
  const started = await browser.get('/auth/oidc')
  expect(started.status).toBe(303)
  return new URL(started.headers.get('location') ?? '')
}

const comeBack = (browser: TestBrowser, back: URL | null): Promise<BrowserAnswer> =>
  browser.get(`${back?.pathname}${back?.search}`, { 'sec-fetch-site': 'cross-site' })

async function signInAtPeer(under: SignInUnderTest, browser = under.browser()): Promise<TestBrowser> {
  const answer = await comeBack(browser, await peer.browse(await startedAt(browser)))
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/'])
  return browser
}

describe('with a provider of another maker', () => {
  test('there and back; the account is that of issuer and subject, and no e-mail address is stored', async () => {
    covers('threat-34', 'threat-35')
    const under = await gateAt(peer.issuer)
    const location = await startedAt(under.browser())
    expect(location.origin).toBe(peer.issuer)
    expect(Object.fromEntries(location.searchParams)).toMatchObject({
      client_id: client.clientId,
      redirect_uri: redirectUrl,
      response_type: 'code',
      scope: 'openid profile',
      code_challenge_method: 'S256',
      nonce: expect.stringMatching(/^[\da-f]{64}$/),
    })

    const browser = await signInAtPeer(under)
    const { id, identities } = await meOf(browser)
    expect(identities).toMatchObject([{ kind: 'oidc', subject: `${peer.issuer}#ada-1`, label: 'Ada L.' }])
    peer.signInAs({ ...ada, name: 'Ada M.', email: 'other@kestrel.example' })
    expect((await meOf(await signInAtPeer(under))).id).toBe(id)
    peer.signInAs({ ...ada, sub: 'ada-2' })
    expect((await meOf(await signInAtPeer(under))).id).not.toBe(id)
    const rows = await testing.database.sql`SELECT row_to_json(i)::text AS row FROM identities i
      UNION ALL SELECT row_to_json(a)::text FROM accounts a`
    expect(rows.map(({ row }) => row).join()).not.toContain('@kestrel')
    expect(under.lines.join()).not.toContain(client.clientSecret)
  })

  test('it is linked to an account, confirms who one is, and is removed again', async () => {
    const under = await gateAt(peer.issuer)
    peer.signInAs({ ...ada, sub: 'linked' })
    const browser = under.browser()
    await signInByWallet(browser)
    const at = async (purpose: string) => {
      const { text } = await browser.post('/auth/oidc', { purpose, returnTo: '/settings' })
      const { location } = JSON.parse(text) as { location: string }
      const back = await comeBack(browser, await peer.browse(location))
      return { prompt: new URL(location).searchParams.get('prompt'), to: back.headers.get('location') }
    }
    expect(await at('link')).toEqual({ prompt: null, to: '/settings' })
    expect(await at('confirm')).toEqual({ prompt: 'login', to: '/settings' })
    const { identities } = await meOf(browser)
    expect(identities.map(({ kind }) => kind)).toEqual(['wallet', 'oidc'])
    peer.signInAs({ ...ada, sub: 'somebody-else' })
    expect((await at('confirm')).to).toBe('/settings?problem=other_account')
    const removed = await browser.mutate('accounts.removeIdentity', { id: identities[1]?.id })
    expect(removed.status).toBe(200)
    expect((await meOf(browser)).identities).toHaveLength(1)
  })

  test.each([
    ['oidc-domain:Kestrel.example', ada, 'active', 'openid profile email'],
    ['oidc-domain:kestrel.example', { ...ada, email_verified: false }, 'pending', 'openid profile email'],
    [
      'oidc-domain:kestrel.example',
      { ...ada, email: 'ada@kestrel.example.net' },
      'pending',
      'openid profile email',
    ],
    ['oidc-group:Node operators', ada, 'active', 'openid profile groups'],
    ['oidc-group:node operators', ada, 'pending', 'openid profile groups'],
    ['github-org:staff', ada, 'pending', 'openid profile'],
  ])('the allow-list with %s', async (entry, user, state, scope) => {
    covers('threat-35')
    const under = await gateAt(peer.issuer, {
      signUp: 'approval',
      signUpAllow: [entry],
      operators: [`0x${'12'.repeat(20)}`],
    })
    expect((await startedAt(under.browser())).searchParams.get('scope')).toBe(scope)
    peer.signInAs({ ...user, sub: crypto.randomUUID() })
    expect((await meOf(await signInAtPeer(under))).state).toBe(state)
  })

  test('whom the settings name by issuer and subject is an operator', async () => {
    const under = await gateAt(peer.issuer, { operators: [`oidc:${peer.issuer}#boss`] })
    peer.signInAs({ ...ada, sub: 'boss' })
    expect((await (await signInAtPeer(under)).query('probe.operate')).status).toBe(200)
    const elsewhere = await gateAt(scripted.issuer, { operators: [`oidc:${peer.issuer}#boss`] })
    scripted.play({ claims: { sub: 'boss' } })
    const { browser } = await signInAtScripted(elsewhere)
    expect((await browser.query('probe.operate')).status).toBe(403)
  })
})

async function signInAtScripted(under: SignInUnderTest, change = (_back: URL): void => {}) {
  const browser = under.browser()
  const back = scripted.sendBack(await startedAt(browser))
  change(back)
  return { browser, answer: await comeBack(browser, back) }
}

describe('with a provider that lies', () => {
  covers('threat-36', 'threat-71')
  const nowSec = Math.floor(Date.now() / 1000)
  const needsInvitation = '/sign-in?problem=invitation_needed'
  const away = { name: 'Ada' } // says all that is asked for
  const refused: [name: string, script: OpenidScript, reason: string][] = [
    ['another issuer in the token', { claims: { iss: 'https://evil.example.net' } }, 'unexpected \\"iss\\"'],
    ['another audience', { claims: { aud: 'another-client' } }, 'unexpected \\"aud\\"'],
    ['two audiences', { claims: { aud: [client.clientId, 'another-client'] } }, 'claims'],
    ['another authorised party', { claims: { azp: 'another-client' } }, 'azp'],
    ['another nonce', { claims: { nonce: 'of-another-sign-in' } }, 'nonce'],
    ['no nonce', { claims: { nonce: undefined } }, 'claims'],
    ['no subject', { claims: { sub: undefined } }, 'claims'],
    ['a subject that is no text', { claims: { sub: 248 } }, 'claims'],
    ['expired', { claims: { exp: nowSec - 120 } }, 'exp'],
    ['issued in the future', { claims: { iat: nowSec + 600 } }, 'iat'],
    ['alg none', { signed: 'none' }, 'not allowed'],
    ['HS256 with the secret of the client', { signed: 'with the secret' }, 'not allowed'],
    ['a key of somebody else', { signed: 'with another key' }, 'signature verification failed'],
    ['more about somebody else', { userinfo: { sub: '249', name: 'Eve' } }, 'about somebody else'],
    [
      'no issuer in the redirect, which it promises',
      { claims: away, metadata: { authorization_response_iss_parameter_supported: true } },
      'no iss',
    ],
    [
      'keys at an address that is forbidden',
      { metadata: { jwks_uri: 'https://10.9.8.7/keys' } },
      'ALLOW_PRIVATE=10.9.8.7/32',
    ],
  ]
  test.each(refused)('%s: nobody is in', async (_name, script, reason) => {
    const under = await gateAt(scripted.issuer)
    scripted.play(script)
    const { browser, answer } = await signInAtScripted(under)
    expect(answer.headers.get('location')).toBe('/sign-in?problem=provider_failed')
    expect(await isIn(browser)).toBe(false)
    expect(under.lines.at(-1)).toContain(reason)
  })

  test('what it says in the redirect: its name has to be right, and only a refusal is a refusal', async () => {
    const under = await gateAt(scripted.issuer)
    const placeAfter = async (name: string, value: string) => {
      const { answer } = await signInAtScripted(under, ({ searchParams }) => searchParams.set(name, value))
      return [answer.status, answer.headers.get('location')]
    }
    expect(await placeAfter('iss', scripted.issuer)).toEqual([303, '/'])
    expect(await placeAfter('iss', 'https://evil.example.net')).toEqual([400, null])
    expect(await placeAfter('error', 'access_denied')).toEqual([303, '/sign-in?problem=denied'])
    expect(await placeAfter('error', 'server_error')).toEqual([303, '/sign-in?problem=provider_failed'])
  })

  test.each<[name: string, claims: object, userinfo: OpenidScript['userinfo'], place: string]>([
    ['an address that is assured', { email: 'a@kestrel.example', email_verified: true }, {}, '/'],
    ['one that nobody assures', { email: 'a@kestrel.example' }, {}, needsInvitation],
    ['one that is denied', { email: 'a@kestrel.example', email_verified: false }, {}, needsInvitation],
    ['one that a text assures', { email: 'a@kestrel.example', email_verified: 'true' }, {}, needsInvitation],
    [
      'one where another is assured',
      { email: 'a@kestrel.example' },
      { email: 'a@b.example', email_verified: true },
      needsInvitation,
    ],
    ['two in one', { email: 'a@b.example c@kestrel.example', email_verified: true }, {}, needsInvitation],
  ])('by the domain of an e-mail address, %s', async (_name, claims, userinfo, place) => {
    covers('threat-35')
    const settings = { signUpAllow: ['oidc-domain:kestrel.example'], operators: [`0x${'12'.repeat(20)}`] }
    const under = await gateAt(scripted.issuer, { signUp: 'invitation', ...settings })
    scripted.play({ claims: { ...claims, sub: crypto.randomUUID() }, userinfo })
    expect((await signInAtScripted(under)).answer.headers.get('location')).toBe(place)
  })

  test('the same subject of another issuer is another account', async () => {
    scripted.play({ claims: { sub: 'ada-1', name: 'Ada L.\u202e', email: ada.email, email_verified: true } })
    const { browser } = await signInAtScripted(await gateAt(scripted.issuer))
    const other = await meOf(browser)
    const own = await meOf(await signInAtPeer(await gateAt(peer.issuer)))
    expect(other.id).not.toBe(own.id)
    expect(other.identities).toMatchObject([{ subject: `${scripted.issuer}#ada-1`, label: null }])
  })
})

describe('a provider to which nobody can be sent', () => {
  covers('threat-71')
  const page = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

  test.each<[name: string, script: OpenidScript, reason: string]>([
    ['is down', { status: 503 }, 'status 503'],
    [
      'calls itself something else',
      { metadata: { issuer: 'https://evil.example.net' } },
      'has to be GATEHOUSE_OIDC_ISSUER',
    ],
    [
      'lacks an address',
      { metadata: { token_endpoint: undefined } },
      'token_endpoint is not as it should be',
    ],
    [
      'takes codes over an open line',
      { metadata: { token_endpoint: 'http://id.example.org/' } },
      'token_endpoint is no https address',
    ],
    [
      'sends people into a script',
      { metadata: { authorization_endpoint: 'javascript:alert(1)' } },
      'authorization_endpoint is no https',
    ],
  ])('because it %s: the page says so, and every other way is open', async (_name, script, reason) => {
    scripted.play(script)
    const under = await gateAt(scripted.issuer)
    const refusal = await under.browser().get('/auth/oidc', page)
    expect([refusal.status, refusal.headers.get('refresh')]).toEqual([
      502,
      '0; url=/sign-in?problem=provider_unreachable',
    ])
    expect(under.accounts.providerProblem('oidc')).toContain(reason)
    expect(refusal.text).not.toContain(scripted.issuer)
    const browser = under.browser()
    expect((await signInByWallet(browser)).status).toBe(200)
    const linking = await browser.post('/auth/oidc', { purpose: 'link' })
    expect([linking.status, linking.text]).toEqual([502, expect.stringContaining('cannot be asked just now')])

    scripted.play({ claims: { name: 'Ada' } })
    under.advance(5_001)
    await waitUntil(
      'operators see that it is over',
      () => under.accounts.providerProblem('oidc') === null,
      5_000,
    )
    expect((await signInAtScripted(under)).answer.headers.get('location')).toBe('/')
  })

  test('it is asked once in five seconds, however many press the button', async () => {
    scripted.play({ status: 500 })
    const under = await gateAt(scripted.issuer)
    const before = scripted.asked.length
    await Promise.all(Array.from({ length: 5 }, () => under.browser().get('/auth/oidc')))
    await under.browser().get('/auth/oidc')
    expect(scripted.asked.length - before).toBeLessThanOrEqual(1) // none where the start of the server asked already
  })

  test('a private address is refused with the setting that allows it', async () => {
    covers('threat-55')
    const under = await gateAt('https://10.20.30.40')
    expect((await under.browser().get('/auth/oidc')).status).toBe(502)
    const setting = 'GATEHOUSE_ALLOW_PRIVATE=10.20.30.40/32'
    expect(under.accounts.providerProblem('oidc')).toContain(setting)
    expect(under.lines.join()).toContain(setting)
  })
})
