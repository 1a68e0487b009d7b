import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'

import { ada, startIdentityProvider } from '../../scripts/world/identity-provider.ts'
import type { ProviderUser, TestIdentityProvider } from '../../scripts/world/identity-provider.ts'
import { testDatabase } from '../../scripts/world/database.ts'
import type { TestDatabase } from '../../scripts/world/database.ts'
import type { BrowserAnswer, TestBrowser } from './sign-in-browser.ts'
import { providerSettings, signInUnderTest } from './sign-in-under-test.ts'
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
afterEach(() => {
  provider.signInAs(ada)
  provider.alterTokens(undefined)
  provider.replaceIdToken(undefined)
  provider.answerTokensWith(200)
})

type Name = 'github' | 'google'

/** What browsers accept when somebody follows a link. */
const asPage = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

/** Goes to the provider, which sends back at once; returns the address that the browser is sent back to. */
async function goToProvider(browser: TestBrowser, name: Name, query = ''): Promise<URL> {
  const started = await browser.get(`/auth/${name}${query}`)
  expect(started.status).toBe(303)
  return confirmAt(started.headers.get('location') ?? '')
}

async function confirmAt(location: string): Promise<URL> {
  const confirmed = await fetch(location, { redirect: 'manual' })
  return new URL(confirmed.headers.get('location') ?? '')
}

const comeBack = (browser: TestBrowser, back: URL): Promise<BrowserAnswer> =>
  browser.get(back.pathname + back.search, { 'sec-fetch-site': 'cross-site' })

async function signIn(name: Name, user: ProviderUser = ada, browser = under.browser()): Promise<string> {
  provider.signInAs(user)
  const answer = await comeBack(browser, await goToProvider(browser, name))
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe('/')
  const who = await browser.query('probe.who')
  return (JSON.parse(who.text) as { result: { data: string } }).result.data
}

describe.each(['github', 'google'] as const)('%s', (name) => {
  test('there and back, and signed in', async () => {
    covers('sign-in-code-hosting', 'sign-in-web-search-company', 'sign-in-provider-confirmation')
    const browser = under.browser()
    const location = new URL(
      (await browser.get(`/auth/${name}?returnTo=/api-keys`)).headers.get('location') ?? '',
    )
    expect(location.searchParams.get('redirect_uri')).toBe(`https://gate.example.org/auth/callback/${name}`)
    expect(location.searchParams.get('code_challenge_method')).toBe('S256')
    expect(location.searchParams.get('response_type')).toBe('code')
    expect(location.href).not.toContain('secret-of')

    const answer = await comeBack(browser, await confirmAt(location.href))
    expect(answer.headers.get('location')).toBe('/api-keys')
    expect((await browser.query('probe.who')).status).toBe(200)
    const sent = provider.tokenRequests.at(-1)
    expect(sent).toMatchObject({
      grant_type: 'authorization_code',
      redirect_uri: `https://gate.example.org/auth/callback/${name}`,
      code_verifier: expect.stringMatching(/^[\w-]{43}$/),
      client_secret: `secret-of-${name}`,
    })
  })

  test('the same person again is the same account; another one is another', async () => {
    const first = await signIn(name)
    expect(
      await signIn(name, { ...ada, login: 'ada-renamed', email: 'new@example.org', name: 'Ada M.' }),
    ).toBe(first)
    expect(await signIn(name, { ...ada, id: 99, sub: '99' })).not.toBe(first)
  })

  test('a state that is missing, wrong, used, too old, or of another browser: 400, and nobody is in', async () => {
    covers('threat-34')
    const browser = under.browser()
    const back = await goToProvider(browser, name)
    const altered = (state: string | null) => {
      const url = new URL(back)
      if (state === null) url.searchParams.delete('state')
      else url.searchParams.set('state', state)
      return url
    }
    const thief = under.browser()
    await goToProvider(thief, name)
    for (const [who, url] of [
      [browser, altered(null)],
      [browser, altered('x'.repeat(43))],
      [thief, back],
      [under.browser(), back],
    ] as const) {
      const refused = await comeBack(who, url)
      expect(refused.status).toBe(400)
      expect((await who.query('probe.who')).status).toBe(401)
    }
    const again = browser.twin()
    expect((await comeBack(browser, back)).status).toBe(303)
    expect((await comeBack(again, back)).status).toBe(400)
    expect((await again.query('probe.who')).status).toBe(401)
  })

  test('is bound to a cookie that is new at each start, also where somebody planted one', async () => {
    covers('threat-28')
    const planted = 'A'.repeat(43)
    const victim = under.browser()
    victim.cookies.set('__Host-gatehouse-visit', planted)
    const attacker = victim.twin()
    const back = await goToProvider(victim, name)
    expect(victim.cookies.get('__Host-gatehouse-visit')).not.toBe(planted)
    expect((await comeBack(attacker, back)).status).toBe(400)
    expect((await comeBack(victim, back)).status).toBe(303)
  })

  test('a browser with such a state gets a page to the sign-in; programs get the refusal', async () => {
    covers('threat-34')
    const browser = under.browser()
    const place = `/auth/callback/${name}?code=x&state=${'x'.repeat(43)}&returnTo=https://evil.example.net`
    for (const accept of ['*/*', 'application/json']) {
      const told = await browser.get(place, { accept })
      expect([told.status, told.headers.get('refresh')]).toEqual([400, null])
      expect(JSON.parse(told.text)).toMatchObject({ error: { code: 'bad_request' } })
    }
    const page = await browser.get(place, { accept: asPage })
    expect(page.status).toBe(400)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('refresh')).toBe('0; url=/sign-in?problem=sign_in_over')
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
    expect(page.text).toContain('<a href="/sign-in?problem=sign_in_over">')
    expect(page.text).not.toContain('evil')
  })

  test('so does one with too many attempts behind it, at both ends of the way', async () => {
    const browser = under.browser()
    const ask = (path: string) => browser.get(path, { accept: asPage })
    for (let attempt = 0; attempt < 60; attempt++) await browser.get(`/auth/${name}`)
    for (const path of [`/auth/${name}`, `/auth/callback/${name}?code=x&state=y`]) {
      const refused = await ask(path)
      expect([refused.status, refused.headers.get('refresh')]).toEqual([
        429,
        '0; url=/sign-in?problem=too_many_attempts',
      ])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    const going = await ask(`/auth/${name}?returnTo=/teams/join`)
    const place = '/sign-in?problem=too_many_attempts&returnTo=%2Fteams%2Fjoin'
    expect(going.headers.get('refresh')).toBe(`0; url=${place}`)
    expect(going.text).toContain(`<a href="${place.replace('&', '&amp;')}">`)
  })

  test.each([
    ['', ''],
    ['?returnTo=/teams/join', '&returnTo=%2Fteams%2Fjoin'],
    ['?returnTo=%2Faudit%3Fpage%3D2%26actor%3Dada', '&returnTo=%2Faudit%3Fpage%3D2%26actor%3Dada'],
  ])(
    'whoever says no at the provider is back at the sign-in page, on the way as before: %j',
    async (...way) => {
      const [query, kept] = way
      const browser = under.browser()
      const back = await goToProvider(browser, name, query)
      back.searchParams.delete('code')
      back.searchParams.set('error', 'access_denied')
      const answer = await comeBack(browser, back)
      expect(answer.headers.get('location')).toBe(`/sign-in?problem=denied${kept}`)
      expect((await browser.query('probe.who')).status).toBe(401)
    },
  )

  test('a provider that fails', async () => {
    for (const status of [400, 500]) {
      provider.answerTokensWith(status)
      const browser = under.browser()
      const answer = await comeBack(browser, await goToProvider(browser, name))
      expect(answer.headers.get('location')).toBe('/sign-in?problem=provider_failed')
      expect((await browser.query('probe.who')).status).toBe(401)
    }
  })

  test('a way back is good for ten minutes', async () => {
    const own = await signInUnderTest(testing.database, { settings: providerSettings(provider) })
    try {
      const browser = own.browser()
      const back = await goToProvider(browser, name)
      own.advance(601_000)
      expect((await comeBack(browser, back)).status).toBe(400)
    } finally {
      own.stop()
    }
  })

  test('a code with the verifier of another run does not go through', async () => {
    covers('threat-34')
    const [mine, theirs] = [under.browser(), under.browser()]
    const back = await goToProvider(mine, name)
    const stolen = await goToProvider(theirs, name)
    back.searchParams.set('code', stolen.searchParams.get('code') ?? '')
    expect((await comeBack(mine, back)).headers.get('location')).toBe('/sign-in?problem=provider_failed')
  })
})

test('a state of one provider is not good at the callback of the other', async () => {
  covers('threat-34')
  for (const [from, to] of [
    ['github', 'google'],
    ['google', 'github'],
  ] as const) {
    const browser = under.browser()
    const back = await goToProvider(browser, from)
    expect((await comeBack(browser, new URL(back.href.replace(`/${from}`, `/${to}`)))).status).toBe(400)
    expect((await comeBack(browser, back)).status).toBe(400) // and it is used up
  }
})

test('an issuer that is not the one that was asked: 400', async () => {
  const browser = under.browser()
  const back = await goToProvider(browser, 'google')
  back.searchParams.set('iss', 'https://evil.example.net')
  expect((await comeBack(browser, back)).status).toBe(400)
})

test('the same e-mail address at two providers is two accounts, and is stored nowhere', async () => {
  covers('threat-35')
  const email = 'planted-address@example.org'
  const user = { ...ada, id: 4_711, sub: '4711', email }
  expect(await signIn('github', user)).not.toBe(await signIn('google', user))
  const rows = await testing.database.sql`SELECT row_to_json(i)::text AS row FROM identities i
    UNION ALL SELECT row_to_json(a)::text FROM accounts a`
  expect(rows.length).toBeGreaterThan(1)
  expect(rows.map(({ row }) => row).join()).not.toContain(email)
})

test('the same id at two providers is two accounts', async () => {
  const user = { ...ada, id: 123_456, sub: '123456' }
  expect(await signIn('github', user)).not.toBe(await signIn('google', user))
})

describe('an ID token that is not for us, not now, or not for this sign-in', () => {
  covers('threat-36')
  const refusedTokens: [name: string, alter: Parameters<TestIdentityProvider['alterTokens']>[0]][] = [
    ['another audience', (_header, claims) => Object.assign(claims, { aud: 'another-client' })],
    [
      'two audiences',
      (_header, claims) => Object.assign(claims, { aud: ['client-of-google', 'another-client'] }),
    ],
    ['another authorised party', (_header, claims) => Object.assign(claims, { azp: 'another-client' })],
    ['another issuer', (_header, claims) => Object.assign(claims, { iss: 'https://evil.example.net' })],
    ['expired', (_header, claims) => Object.assign(claims, { exp: Math.floor(Date.now() / 1000) - 120 })],
    [
      'issued in the future',
      (_header, claims) => Object.assign(claims, { iat: Math.floor(Date.now() / 1000) + 600 }),
    ],
    ['another nonce', (_header, claims) => Object.assign(claims, { nonce: 'of-another-sign-in' })],
    ['no nonce', (_header, claims) => delete claims.nonce],
    ['no subject', (_header, claims) => delete claims.sub],
    ['a key that nobody has', (header) => Object.assign(header, { kid: 'unknown' })],
  ]
  for (const [name, alter] of refusedTokens) {
    test(name, async () => {
      provider.alterTokens(alter)
      const browser = under.browser()
      const answer = await comeBack(browser, await goToProvider(browser, 'google'))
      expect(answer.headers.get('location')).toBe('/sign-in?problem=provider_failed')
      expect((await browser.query('probe.who')).status).toBe(401)
    })
  }

  test('one whose content was changed after it was signed', async () => {
    provider.replaceIdToken((token) => {
      const [head, body = '', signature] = token.split('.')
      const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as object
      const forged = Buffer.from(JSON.stringify({ ...claims, sub: 'somebody-else' })).toString('base64url')
      return `${head}.${forged}.${signature}`
    })
    const browser = under.browser()
    const answer = await comeBack(browser, await goToProvider(browser, 'google'))
    expect(answer.headers.get('location')).toBe('/sign-in?problem=provider_failed')
  })
})

test('a page of another site as the place to return to is refused', async () => {
  covers('threat-37')
  for (const place of [
    '//evil.example.net',
    '/\\evil',
    'https:evil',
    '%2f%2fevil',
    'https://evil.example.net',
    '/%5cevil',
    '/a//evil',
    '/a\nb',
  ]) {
    const answer = await under.browser().get(`/auth/github?returnTo=${encodeURIComponent(place)}`)
    expect(answer.status).toBe(422)
  }
  expect((await under.browser().get('/auth/github?returnTo=/%2f%2fevil')).status).toBe(422)
})

test('a provider that is not set up, and one that nobody knows', async () => {
  const own = await signInUnderTest(testing.database)
  try {
    expect((await own.browser().get('/auth/github')).status).toBe(404)
    expect((await own.browser().get('/auth/callback/google?state=x&code=y')).status).toBe(404)
    expect((await own.browser().get('/auth/gitlab')).status).toBe(400)
    const { text } = await own.browser().query('accounts.signInOptions')
    expect(text).toContain('"providers":{"github":false,"google":false,"oidc":false}')
  } finally {
    own.stop()
  }
})

test('no secret of a provider is told or logged', async () => {
  await signIn('google')
  const { text } = await under.browser().query('accounts.signInOptions')
  expect(text).toContain('"providers":{"github":true,"google":true,"oidc":false}')
  expect(text + under.lines.join()).not.toContain('secret-of-')
})

test('on a loopback address the way begins at the registered name', async () => {
  const local = await signInUnderTest(testing.database, {
    publicUrl: 'http://127.0.0.1:3000',
    settings: providerSettings(provider),
  })
  try {
    const answer = await local.browser().get('http://localhost:3000/auth/github?returnTo=/a')
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe('http://127.0.0.1:3000/auth/github?returnTo=/a')
  } finally {
    local.stop()
  }
})
