import { afterAll, beforeAll, expect, test } from 'bun:test'
import { hostname } from 'node:os'

import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import chains from '../../server/chains/chains.json' with { type: 'json' }
import manifest from '../../package.json' with { type: 'json' }
import type { OperationView } from '../../shared/installation.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'

/** What an installation tells of itself, here one that listens on all addresses and has no configured one. */

let installation: TestInstallation
let server: GatehouseProcess
const named = () => `http://${hostname().toLowerCase()}:${installation.port}`

beforeAll(async () => {
  installation = await createTestInstallation()
  server = await installation.start({
    GATEHOUSE_HOST: '0.0.0.0',
    GATEHOUSE_SIGN_UP: 'open',
    GATEHOUSE_REVEAL_KEYS: 'off',
    GATEHOUSE_GITHUB_CLIENT_ID: 'client',
    GATEHOUSE_GITHUB_CLIENT_SECRET: 'planted-secret',
    GATEHOUSE_OIDC_ISSUER: 'https://10.20.30.40',
    GATEHOUSE_OIDC_CLIENT_ID: 'client',
    GATEHOUSE_OIDC_CLIENT_SECRET: 'planted-secret',
    GATEHOUSE_OIDC_NAME: 'Kestrel ID',
  })
}, 60_000)
afterAll(() => installation?.remove())

test('whoever is signed in learns of the version, of itself, and of what is possible', async () => {
  const somebody = await signInAt(server.url)
  expect((await somebody.query('installation.info')).data).toEqual({
    version: manifest.version,
    address: named(),
    chainCount: chains.length,
    canRevealKeys: false,
    callerAddress: '127.0.0.1',
  })
  expect((await somebody.query('installation.operation')).status).toBe(403)
  expect((await fetch(`${server.url}/trpc/installation.info`)).status).toBe(401)
  expect((await fetch(`${server.url}/trpc/installation.operation`)).status).toBe(403)
})

test('keys are not shown again where that is switched off', async () => {
  const somebody = await signInAt(server.url)
  const created = await somebody.mutate('apiKeys.create', { name: 'CI' })
  const { key } = created.data as { key: { id: string } }
  expect(await somebody.mutate('apiKeys.reveal', { id: key.id })).toMatchObject({
    status: 403,
    error: { message: expect.stringContaining('does not show keys again') },
  })
})

const operation = () => server.operator.installation.operation.query()
const problems = async () => (await operation()).file.problems

test('operators learn of the file, the database and the providers, and nobody of a secret', async () => {
  expect(await operation()).toEqual({
    file: { path: installation.filePath, exists: true, problems: [] },
    database: { kind: 'embedded', version: expect.stringMatching(/^18\.\d+$/) },
    providers: [
      {
        provider: 'github',
        name: null,
        isConfigured: true,
        settings: ['GATEHOUSE_GITHUB_CLIENT_ID', 'GATEHOUSE_GITHUB_CLIENT_SECRET'],
        callback: `${named()}/auth/callback/github`,
        problem: null,
      },
      {
        provider: 'google',
        name: null,
        isConfigured: false,
        settings: ['GATEHOUSE_GOOGLE_CLIENT_ID', 'GATEHOUSE_GOOGLE_CLIENT_SECRET'],
        callback: `${named()}/auth/callback/google`,
        problem: null,
      },
      {
        provider: 'oidc',
        name: 'Kestrel ID',
        isConfigured: true,
        settings: ['GATEHOUSE_OIDC_ISSUER', 'GATEHOUSE_OIDC_CLIENT_ID', 'GATEHOUSE_OIDC_CLIENT_SECRET'],
        callback: `${named()}/auth/callback/oidc`,
        problem: expect.stringContaining(
          'a private address; an operator can allow it with GATEHOUSE_ALLOW_PRIVATE=10.20.30.40/32',
        ),
      },
    ],
    unnamedProxy: null,
    backups: null,
    isClockWrong: false,
  } satisfies OperationView)
  installation.writeFile('services: 5')
  await waitUntil('the mistake is noticed', async () => (await problems()).length > 0, 5_000)
  expect(await problems()).toEqual([expect.stringMatching(/^gatehouse\.yaml:1: services: /)])
  expect(JSON.stringify(await operation())).not.toContain('planted-secret')
})

test('a proxy that is not named is told of, with the setting that names it', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.7' }
  for (let count = 0; count < 3; count++)
    await fetch(`${server.url}/auth/github`, { headers, redirect: 'manual' })
  expect((await operation()).unnamedProxy).toEqual({
    address: '127.0.0.1',
    setting: 'GATEHOUSE_TRUSTED_PROXIES=127.0.0.1',
  })
  const told = server
    .output()
    .split('\n')
    .filter((line) => line.includes('GATEHOUSE_TRUSTED_PROXIES=127.0.0.1'))
  expect(told).toHaveLength(1)
})

test('one signs in by every address of the machine, and from no other page', async () => {
  for (const host of ['127.0.0.1', 'localhost', '127.0.0.2']) {
    const somebody = await signInAt(`http://${host}:${installation.port}`)
    expect((await somebody.query('accounts.me')).data).toMatchObject({ id: somebody.accountId })
  }
  const rebound = 'http://rebound.example.net'
  await expect(signInAt(server.url, undefined, rebound)).rejects.toThrow('no challenge')
  const response = await fetch(`${server.url}/auth/wallet/challenge`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: rebound, host: 'rebound.example.net' },
    body: JSON.stringify({ address: createTestWallet().address, chainId: 1 }),
  })
  expect(response.status).toBe(403)
})
