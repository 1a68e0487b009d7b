import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import { testDatabase } from '../../scripts/world/database.ts'
import type { TestDatabase } from '../../scripts/world/database.ts'
import type { TestBrowser } from './sign-in-browser.ts'
import { signInByWallet, signInUnderTest } from './sign-in-under-test.ts'
import type { SignInUnderTest } from './sign-in-under-test.ts'
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

const accountOf = ({ text }: { text: string }): string =>
  (JSON.parse(text) as { accountId: string }).accountId

/** A message for a wallet that nobody has signed yet. */
async function challenge(browser: TestBrowser, wallet = createTestWallet(), chainId = 1) {
  const answer = await browser.post('/auth/wallet/challenge', { address: wallet.address, chainId })
  expect(answer.status).toBe(200)
  const { message } = JSON.parse(answer.text) as { message: string }
  return { wallet, message }
}

const countOf = async (table: 'accounts' | 'web_sessions' | 'sign_in_nonces'): Promise<number> => {
  const [row] = await testing.database.sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM ${testing.database.sql(table)}`
  return row?.count ?? -1
}

describe('signing in', () => {
  test('a wallet signs the message of the server, and its owner is in', async () => {
    covers('sign-in-wallet')
    const browser = under.browser()
    const answer = await signInByWallet(browser)
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.text)).toMatchObject({ role: 'account', isNewAccount: true })
    const who = await browser.query('probe.who')
    expect(who.text).toContain(accountOf(answer))
  })

  test('the message names this installation, the wallet and the chain, and says how long it is good', async () => {
    const { message, wallet } = await challenge(under.browser(), createTestWallet(), 8453)
    expect(message).toStartWith('gate.example.org wants you to sign in with your Ethereum account:\n')
    expect(message).toContain(`\n${wallet.address}\n`)
    expect(message).toContain('\nURI: https://gate.example.org\nVersion: 1\nChain ID: 8453\nNonce: ')
    const [issued = '', expires = ''] = ['Issued At', 'Expiration Time'].map(
      (name) => new RegExp(`^${name}: (.+)$`, 'm').exec(message)?.[1] ?? '',
    )
    expect(Date.parse(expires) - Date.parse(issued)).toBe(600_000)
  })

  test('one key is one account, however its address is written', async () => {
    covers('threat-33')
    const wallet = createTestWallet()
    const spellings = [
      wallet.address,
      wallet.address.toLowerCase(),
      `0x${wallet.address.slice(2).toUpperCase()}`,
    ]
    const answers = []
    for (const address of spellings) answers.push(await signInByWallet(under.browser(), wallet, { address }))
    expect(new Set(answers.map(accountOf)).size).toBe(1)
    expect(answers.map(({ text }) => JSON.parse(text).isNewAccount)).toEqual([true, false, false])
  })

  test('two first sign-ins of one wallet at once make one account', async () => {
    const wallet = createTestWallet()
    const answers = await Promise.all([1, 2, 3, 4].map(() => signInByWallet(under.browser(), wallet)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(new Set(answers.map(accountOf)).size).toBe(1)
  })

  test('is recorded with the identity, and refused attempts are not', async () => {
    const wallet = createTestWallet()
    const before = under.auditEntries.length
    const answer = await signInByWallet(under.browser(), wallet)
    await signInByWallet(under.browser(), createTestWallet(), { address: wallet.address })
    expect(under.auditEntries.slice(before)).toEqual([
      expect.objectContaining({
        action: 'account.sign_in',
        actor: { id: accountOf(answer), label: expect.stringMatching(/^wallet 0x[0-9a-f]{4}…[0-9a-f]{4}$/) },
        ip: expect.stringMatching(/^198\.51\.100\./),
      }),
    ])
  })

  test('nothing personal is stored of somebody with a wallet', async () => {
    covers('sign-in-wallet-privacy')
    const browser = under.browser()
    const accountId = accountOf(await signInByWallet(browser))
    const { sql } = testing.database
    const [account] = await sql`SELECT name, email FROM accounts WHERE id = ${accountId}`
    expect(account).toEqual({ name: null, email: null })
    const [identity] = await sql`SELECT label FROM identities WHERE account_id = ${accountId}`
    expect(identity).toEqual({ label: null })
    const [session] = await sql`SELECT browser, network FROM web_sessions WHERE account_id = ${accountId}`
    expect(session).toEqual({ browser: 'Firefox on Linux', network: '198.51.100.0/24' })
  })
})

test('no table has a place for a password, and no way in takes one', async () => {
  covers('sign-in-no-passwords')
  const columns = await testing.database.sql<{ name: string }[]>`
    SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'public'`
  expect(columns.length).toBeGreaterThan(50)
  expect(columns.filter(({ name }) => /passw|pwd|login_secret/i.test(name))).toEqual([])
  const browser = under.browser()
  const { wallet, message } = await challenge(browser)
  const proof = { message, signature: wallet.sign(message), password: 'hunter2' }
  expect((await browser.post('/auth/wallet/verify', proof)).status).toBe(422)
  expect((await browser.post('/auth/password', { password: 'hunter2' })).status).toBeOneOf([400, 404])
})

describe('one message, one sign-in', () => {
  covers('threat-30')
  test('a second time is refused', async () => {
    const browser = under.browser()
    const { wallet, message } = await challenge(browser)
    const proof = { message, signature: wallet.sign(message) }
    const again = browser.twin()
    expect((await browser.post('/auth/wallet/verify', proof)).status).toBe(200)
    const replayed = await again.post('/auth/wallet/verify', proof)
    expect(replayed.status).toBe(401)
    expect(replayed.headers.getSetCookie()).toEqual([])
  })

  test('20 at once: exactly one session', async () => {
    covers('threat-30')
    const browser = under.browser()
    const { wallet, message } = await challenge(browser)
    const proof = { message, signature: wallet.sign(message) }
    const before = await countOf('web_sessions')
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => browser.twin().post('/auth/wallet/verify', proof)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(19)
    expect(await countOf('web_sessions')).toBe(before + 1)
  })

  test('a wrong signature uses it up, too', async () => {
    const browser = under.browser()
    const { wallet, message } = await challenge(browser)
    const wrong = { message, signature: createTestWallet().sign(message) }
    expect((await browser.post('/auth/wallet/verify', wrong)).status).toBe(401)
    const right = { message, signature: wallet.sign(message) }
    expect((await browser.post('/auth/wallet/verify', right)).status).toBe(401)
  })

  test('is of the browser that asked for it, and another one cannot even use it up', async () => {
    const browser = under.browser()
    const { wallet, message } = await challenge(browser)
    const proof = { message, signature: wallet.sign(message) }
    const thief = under.browser()
    await challenge(thief)
    expect((await thief.post('/auth/wallet/verify', proof)).status).toBe(401)
    expect((await under.browser().post('/auth/wallet/verify', proof)).status).toBe(401)
    expect((await browser.post('/auth/wallet/verify', proof)).status).toBe(200)
  })
})

describe('a message that was altered is refused, however well it is signed', () => {
  covers('threat-31')
  const alterations: [name: string, alter: (message: string) => string][] = [
    ['another domain', (text) => text.replace('gate.example.org wants', 'evil.example.net wants')],
    ['another uri', (text) => text.replace('URI: https://gate.example.org', 'URI: https://evil.example.net')],
    ['another chain', (text) => text.replace('Chain ID: 1\n', 'Chain ID: 137\n')],
    ['another version', (text) => text.replace('Version: 1', 'Version: 2')],
    ['another statement', (text) => text.replace('costs nothing', 'costs little')],
    ['a nonce of its own', (text) => text.replace(/Nonce: \w+/, 'Nonce: abcdefgh12345678')],
    ['issued in the future', (text) => text.replace(/Issued At: \d{4}/, 'Issued At: 2999')],
    ['issued long ago', (text) => text.replace(/Issued At: \d{4}/, 'Issued At: 2020')],
    ['good for longer', (text) => text.replace(/Expiration Time: \d{4}/, 'Expiration Time: 2999')],
    ['no domain', (text) => text.replace('gate.example.org wants', ' wants')],
    ['no uri', (text) => text.replace(/URI: .+\n/, '')],
    ['no version', (text) => text.replace(/Version: .+\n/, '')],
    ['no chain', (text) => text.replace(/Chain ID: .+\n/, '')],
    ['no nonce', (text) => text.replace(/Nonce: .+\n/, '')],
    ['an empty nonce', (text) => text.replace(/Nonce: .+\n/, 'Nonce: \n')],
    ['no issued-at', (text) => text.replace(/Issued At: .+\n/, '')],
    ['no expiry', (text) => text.replace(/\nExpiration Time: .+$/, '')],
    ['one line more', (text) => `${text}\nNot Before: 2020-01-01T00:00:00.000Z`],
    ['text before it', (text) => `evil.example.net wants your money\n${text}`],
    ['a scheme before the domain', (text) => `https://${text}`],
    [
      'the address in another case',
      (text) => text.replace(/0x[0-9a-fA-F]{40}/, (found) => found.toLowerCase()),
    ],
  ]

  for (const [name, alter] of alterations) {
    test(name, async () => {
      const browser = under.browser()
      const { wallet, message } = await challenge(browser)
      const altered = alter(message)
      expect(altered).not.toBe(message)
      const proof = { message: altered, signature: wallet.sign(altered) }
      const answer = await browser.post('/auth/wallet/verify', proof)
      expect(answer.status).toBe(401)
      expect(answer.headers.getSetCookie()).toEqual([])
      expect((await browser.query('probe.who')).status).toBe(401)
    })
  }

  test('somebody else in the address', async () => {
    const browser = under.browser()
    const { message } = await challenge(browser)
    const other = createTestWallet()
    const altered = message.replace(/0x[0-9a-fA-F]{40}/, other.address)
    const proof = { message: altered, signature: other.sign(altered) }
    expect((await browser.post('/auth/wallet/verify', proof)).status).toBe(401)
  })

  test('after ten minutes, and just before them it is good', async () => {
    const own = await signInUnderTest(testing.database)
    try {
      const browsers = [own.browser(), own.browser()] as const
      const asked = [await challenge(browsers[0]), await challenge(browsers[1])] as const
      const verify = (index: 0 | 1) => {
        const { message, wallet } = asked[index]
        return browsers[index].post('/auth/wallet/verify', { message, signature: wallet.sign(message) })
      }
      own.advance(590_000)
      expect((await verify(0)).status).toBe(200)
      own.advance(11_000)
      expect((await verify(1)).status).toBe(401)
    } finally {
      own.stop()
    }
  })
})

describe('what is no proof at all', () => {
  const signatures = [
    '0x00',
    `0x${'00'.repeat(65)}`,
    `0x${'ff'.repeat(65)}`,
    `0x${'11'.repeat(64)}`,
    `0x${'22'.repeat(500)}`,
  ]
  for (const signature of signatures) {
    test(`a signature of ${(signature.length - 2) / 2} bytes ${signature.slice(2, 4)}`, async () => {
      const browser = under.browser()
      const { message } = await challenge(browser)
      expect((await browser.post('/auth/wallet/verify', { message, signature })).status).toBe(401)
    })
  }

  const bodies: [name: string, body: unknown, field: string][] = [
    ['no signature', { message: 'x' }, 'signature'],
    ['half a byte', { message: 'x', signature: '0x123' }, 'signature'],
    ['5,000 bytes', { message: 'x', signature: `0x${'11'.repeat(5_000)}` }, 'signature'],
    ['a message of 3,000 characters', { message: 'x'.repeat(3_000), signature: '0x12' }, 'message'],
    ['a field too many', { message: 'x', signature: '0x12', address: '0x' }, 'address'],
  ]
  for (const [name, body, field] of bodies) {
    test(`${name}: 422 naming ${field}`, async () => {
      const answer = await under.browser().post('/auth/wallet/verify', body)
      expect(answer.status).toBe(422)
      expect(answer.text).toContain(field)
    })
  }

  test('an address that is none, a chain that is none', async () => {
    const { address } = createTestWallet()
    for (const body of [
      { address: '0x12', chainId: 1 },
      { address, chainId: 0 },
      { address, chainId: 1.5 },
      { address },
    ]) {
      expect((await under.browser().post('/auth/wallet/challenge', body)).status).toBe(422)
    }
  })
})

test('whoever asks too often has to wait, and nobody else', async () => {
  const browser = under.browser()
  const { address } = createTestWallet()
  const ask = () => browser.post('/auth/wallet/challenge', { address, chainId: 1 })
  const answers = await Promise.all(Array.from({ length: 61 }, ask))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(1)
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeWithin(1, 67)
  await challenge(under.browser())
})

test('on a loopback address each of its names can be in the message, and is offered a throwaway wallet', async () => {
  const local = await signInUnderTest(testing.database, { publicUrl: 'http://127.0.0.1:3000' })
  try {
    for (const host of ['127.0.0.1:3000', 'localhost:3000', '[::1]:3000']) {
      const browser = local.browser()
      const wallet = createTestWallet()
      const headers = { origin: `http://${host}` }
      const asked = await browser.post(
        '/auth/wallet/challenge',
        { address: wallet.address, chainId: 1 },
        headers,
      )
      const { message } = JSON.parse(asked.text) as { message: string }
      expect(message).toStartWith(`${host} wants you`)
      const proof = { message, signature: wallet.sign(message) }
      expect((await browser.post('/auth/wallet/verify', proof, headers)).status).toBe(200)
    }
    expect((await local.browser().query('accounts.signInOptions')).text).toContain(
      '"offersThrowawayWallet":true',
    )
    expect((await under.browser().query('accounts.signInOptions')).text).toContain(
      '"offersThrowawayWallet":false',
    )
  } finally {
    local.stop()
  }
})

test('challenges that nobody answered are removed', async () => {
  await challenge(under.browser())
  expect(await countOf('sign_in_nonces')).toBeGreaterThan(0)
  under.advance(601_000)
  await under.accounts.clean()
  expect(await countOf('sign_in_nonces')).toBe(0)
})
