import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { SignInResult, WalletChallenge } from '../../shared/accounts.ts'
import { startDemoServer } from '../demo/server.ts'
import { findFreePort } from '../world/free-port.ts'
import { print } from '../print.ts'
import { type TestWallet, createTestWallet } from '../world/test-wallet.ts'
import type { FuzzCaller, Credentials } from './sent.ts'

/** A Gatehouse of its own, with nothing behind it that a request could reach. */
export interface FuzzedServer {
  readonly url: string
  readonly credentials: Credentials
  /** Requests end sessions and delete keys, too: makes new ones for whoever has none that works. */
  renewCredentials(): Promise<void>
  stop(): Promise<void>
}

const file = `
verifiers:
  builtIn: false
services:
  - { id: node-a, name: Node A, provider: Somebody, family: http, endpoint: 'http://127.0.0.1:1/' }
endpoints:
  - { name: testnet, chain: ethereum, upstreams: [{ url: 'http://127.0.0.1:1/' }] }
`

export async function startFuzzedServer(): Promise<FuzzedServer> {
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-fuzz-'))
  const path = join(home, 'gatehouse.yaml')
  writeFileSync(path, file)
  const wallets = { owner: createTestWallet(), operator: createTestWallet() }
  const server = await startDemoServer({
    port: await findFreePort(),
    dataDir: join(home, 'data'),
    file: path,
    environment: {
      GATEHOUSE_OPERATORS: wallets.operator.address,
      // Otherwise nearly every change would be refused for coming too soon, and nothing of it looked at.
      GATEHOUSE_MUTATIONS_PER_MINUTE: '100000',
      GATEHOUSE_MUTATIONS_PER_DAY: '10000000',
    },
  })
  const cookies = {
    owner: await signIn(server.url, wallets.owner),
    operator: await signIn(server.url, wallets.operator),
  }
  const newKeys = {
    owner: async () => createKey(server.url, await signIn(server.url, createTestWallet()), ownPermissions),
    operator: async () =>
      createKey(server.url, await signIn(server.url, wallets.operator), [...ownPermissions, 'installation']),
  }
  const keys = { owner: await newKeys.owner(), operator: await newKeys.operator() }

  const isSignedIn = async (cookie: string): Promise<boolean> => {
    const response = await fetch(`${server.url}/trpc/accounts.me`, { headers: { cookie } })
    return (await response.text()).includes('"identities"')
  }
  const { url } = server
  return {
    url,
    credentials: {
      keyHeaders: (by) => (by === 'nobody' ? {} : { authorization: `Bearer ${keys[by]}` }),
      cookieHeaders: (by: FuzzCaller) =>
        by === 'nobody' ? { origin: url } : { origin: url, cookie: cookies[by] },
    },
    async renewCredentials() {
      for (const by of ['owner', 'operator'] as const) {
        if (!(await isWorking(url, keys[by]))) keys[by] = await newKeys[by]()
        if (await isSignedIn(cookies[by])) continue
        try {
          cookies[by] = await signIn(url, wallets[by])
        } catch (error) {
          // On a busy machine a sign-in may be put off; the next renewal tries again.
          print(`${by} is not signed in again: ${String(error)}`)
        }
      }
    },
    async stop() {
      await server.stop()
      rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

/** The cookies of a session, as a header. */
async function signIn(url: string, wallet: TestWallet): Promise<string> {
  const jar = new Map<string, string>()
  const cookie = (): string => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  async function post<Answer>(path: string, body: object): Promise<Answer> {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url, cookie: cookie() },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path} answers ${response.status}: ${await response.text()}`)
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split('=', 2)
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    return (await response.json()) as Answer
  }
  const { message } = await post<WalletChallenge>('/auth/wallet/challenge', {
    address: wallet.address,
    chainId: 1,
  })
  await post<SignInResult>('/auth/wallet/verify', { message, signature: wallet.sign(message) })
  return cookie()
}

const isWorking = async (url: string, key: string): Promise<boolean> =>
  (await fetch(`${url}/account/api-key`, { headers: { authorization: `Bearer ${key}` } })).status !== 401

/** What everybody may allow a key; `installation` is for those of operators. */
const ownPermissions = ['statistics_read', 'token_create', 'gateway_use'] as const

async function createKey(url: string, cookie: string, permissions: readonly string[]): Promise<string> {
  const response = await fetch(`${url}/trpc/apiKeys.create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, cookie },
    body: JSON.stringify({ name: 'fuzz', permissions }),
  })
  const value = /gak_[A-Za-z0-9]+/.exec(await response.text())?.[0]
  if (value === undefined) throw new Error('no API key was made')
  return value
}
